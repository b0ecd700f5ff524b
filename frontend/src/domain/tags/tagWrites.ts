// Requests that change the tags of a toggle, with the cached data that they change.
import { featureEvents, featureTags, tagFeature, tags as tagsOfAll, untagFeature } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch } from '@/api/useRead';
import type { useWrite } from '@/api/useWrite';
import { isSameTag } from './tags';

type Send = ReturnType<typeof useWrite>['send'];

const change = (name: string, edit: (tags: Tag[]) => Tag[]) => [
  patch(featureTags(name), (response) => ({ ...response, tags: edit(response.tags) })),
];

export function sendTag(send: Send, name: string, tag: Tag, inline: boolean): Promise<unknown> {
  return send(tagFeature(name), {
    body: tag,
    patches: () => change(name, (all) => [...all.filter((one) => !isSameTag(one, tag)), tag]),
    refreshes: [featureTags(name), featureEvents(name), tagsOfAll],
    inline,
  });
}

export function sendUntag(send: Send, name: string, tag: Tag, inline: boolean): Promise<unknown> {
  return send(untagFeature(name, tag), {
    patches: () => change(name, (all) => all.filter((one) => !isSameTag(one, tag))),
    refreshes: [featureTags(name), featureEvents(name)],
    inline,
  });
}

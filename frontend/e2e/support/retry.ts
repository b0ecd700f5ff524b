import { gate } from './gate';
import type { StubResponse, StubUpstream } from './stubUpstream';
import type { Ui } from './ui';

/** Presses Retry after a 5xx. Holds the response until then, because the automatic retry would remove the button. */
export async function retry(ui: Ui, stub: StubUpstream, call: string, response: StubResponse): Promise<void> {
  const { opened, open } = gate();
  stub.respond(call, async () => {
    await opened;
    return response;
  });
  await ui.main.getByRole('button', { name: 'Retry' }).click();
  open();
}

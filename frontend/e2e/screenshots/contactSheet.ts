import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FOLDER, fileName, SIZES, themesOf } from './folder';
import { scenes } from './scenes';

/** Writes `index.html`, which shows all images: one row per scene, one column per size and theme. */
export default function writeContactSheet(): void {
  const looks = SIZES.flatMap((size) => themesOf(size).map((theme) => ({ size: size.name, theme: theme.name })));
  const cell = (file: string) =>
    existsSync(path.join(FOLDER, file))
      ? `<td><a href="${file}"><img loading="lazy" src="${file}" alt=""></a></td>`
      : '<td>missing</td>';
  const rows = scenes.map(({ name, title }) => {
    const cells = looks.map(({ size, theme }) => cell(fileName(name, size, theme)));
    return `<tr id="${name}"><th scope="row">${title}<br><code>${name}</code></th>${cells.join('')}</tr>`;
  });
  const heads = looks.map(({ size, theme }) => `<th scope="col">${size} ${theme}</th>`);
  writeFileSync(
    path.join(FOLDER, 'index.html'),
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screenshots of Flagdeck</title>
<style>
body { font: 14px/20px system-ui, sans-serif; margin: 16px; background: #777; }
table { border-spacing: 8px; }
th { background: #fff; padding: 4px 8px; text-align: left; vertical-align: top; position: sticky; left: 0; top: 0; }
img { height: 300px; display: block; }
</style>
<table><thead><tr><th scope="col">Scene</th>${heads.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
`,
  );
}

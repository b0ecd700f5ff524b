import { gate } from './gate';
import type { Answer, StubUpstream } from './stubUpstream';
import type { Ui } from './ui';

/** Presses Retry after a 5xx. Holds the response until then, because the automatic retry would remove the button. */
export async function retry(ui: Ui, stub: StubUpstream, call: string, answer: Answer): Promise<void> {
  const { opened, open } = gate();
  stub.answer(call, async () => {
    await opened;
    return answer;
  });
  await ui.main.getByRole('button', { name: 'Retry' }).click();
  open();
}

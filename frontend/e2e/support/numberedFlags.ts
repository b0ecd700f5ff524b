// Reads and changes the data of 4.2, which orders strategies by the number that each has.

import { Flags, type StoredStrategy, type StoredToggle } from './flags';

type NumberedStrategy = StoredStrategy & { id?: string; sortOrder?: number };

/** Toggles as 3.17 stores them: without the ids and numbers of strategies, and without empty lists of constraints. */
export class NumberedFlags extends Flags {
  override async find(name: string): Promise<StoredToggle | undefined> {
    // The list contains the strategies in no particular order.
    const listed = await super.find(name);
    if (!listed) return undefined;
    const toggle = await this.get<StoredToggle>(`admin/features/${encodeURIComponent(name)}`);
    return { ...toggle, strategies: (toggle.strategies ?? []).map(withoutNumber) };
  }

  override async post(path: string, body: object = {}): Promise<void> {
    await super.post(path, isToggle(path) ? withNumbers(body) : body);
  }

  override async put(path: string, body: object): Promise<void> {
    await super.put(path, isToggle(path) ? withNumbers(body) : body);
  }
}

/** Registrations of applications contain names of strategies only. */
function isToggle(path: string): boolean {
  return path.startsWith('admin/features');
}

function withoutNumber({ id: _, sortOrder: __, constraints = [], ...strategy }: NumberedStrategy): StoredStrategy {
  return constraints.length > 0 ? { ...strategy, constraints } : strategy;
}

/** Numbers the strategies of a toggle. */
function withNumbers(body: object): object {
  if (!('strategies' in body) || !Array.isArray(body.strategies)) return body;
  return { ...body, strategies: body.strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) };
}

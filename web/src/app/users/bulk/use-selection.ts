// The selected accounts: kept while the user pages and sorts. A new search begins without a selection.
import type { Calls } from 'latchkey-sdk';
import { useRef, useState } from 'react';
import { latchkey } from '../../../api/latchkey.ts';
import type { Choice } from '../../../ui/records.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { words } from '../../../words/more.ts';
import type { User } from '../user.ts';
import type { toInput } from '../user-search.ts';

/** The most accounts that one action changes: each takes a call. */
const MOST = 1000;

/** Accounts of one call. */
const BATCH = 100;

const none: ReadonlyMap<number, User> = new Map();

/** Selects further accounts that were found, and calls `done` then. */
export type Further = {
  readonly label: string;
  readonly run: (done?: () => void) => Promise<void>;
  readonly isBusy: boolean;
};

/** Which accounts were selected so far of those that were found, and how many there were in all. */
type Round = { readonly passed: ReadonlySet<number>; readonly total: number };

/**
 * Finds accounts that were not selected before. It begins at the first one each time, because an action may have removed
 * accounts from what is found.
 */
async function findFurther(input: ReturnType<typeof toInput>, passed: Round['passed']) {
  const all = new Map<number, User>();
  for (let skipCount = 0, isLast = false; !isLast && all.size < MOST; skipCount += BATCH) {
    const { items } = await latchkey.call('User/GetAll', { ...input, skipCount, maxResultCount: BATCH });
    const further = items.filter(({ id }) => !passed.has(id)).slice(0, MOST - all.size);
    for (const user of further) all.set(user.id, user);
    isLast = items.length < BATCH;
  }
  return all;
}

/**
 * @param found the accounts of this page, and how many there are.
 * @param input what the list finds.
 * @param isStale whether `found` is what the list found before.
 */
export function useSelection(
  found: Calls['User/GetAll']['result'] | undefined,
  input: ReturnType<typeof toInput>,
  isStale: boolean,
) {
  const { items: shown = [], totalCount: total = 0 } = found ?? {};
  const { bulk } = words.users;
  const { sorting: _, skipCount: _skipped, maxResultCount: _size, ...filter } = input;
  const search = JSON.stringify(filter);
  const [selected, setSelected] = useState(none);
  const [round, setRound] = useState<Round>();
  const [searched, setSearched] = useState(search);
  const present = useRef(search);
  present.current = search;
  if (searched !== search) {
    setSearched(search);
    setSelected(none);
    setRound(undefined);
  }
  const findMore = useSubmit(async (former: Round, done?: () => void) => {
    const all = await findFurther(input, former.passed);
    if (present.current !== search) return;
    setSelected(all);
    setRound({ ...former, passed: new Set([...former.passed, ...all.keys()]) });
    done?.();
  });
  const left = round ? round.total - round.passed.size : 0;
  const areAllShown = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  const isMoreFound = !isStale && areAllShown && selected.size < Math.min(total, MOST);
  const choice: Choice<User> = {
    chosen: new Set([...selected.keys()].map(String)),
    nameOf: ({ userName }) => userName,
    choose: (keys, isChosen) => {
      const next = new Map(selected);
      for (const user of shown.filter(({ id }) => keys.includes(String(id)))) {
        if (isChosen) next.set(user.id, user);
        else next.delete(user.id);
      }
      setSelected(next);
    },
  };
  return {
    choice,
    chosen: [...selected.values()],
    /** How many of them other pages show. */
    elsewhere: selected.size - shown.filter(({ id }) => selected.has(id)).length,
    more: isMoreFound
      ? {
          label: total > MOST ? bulk.selectFirst(MOST) : bulk.selectAll(total),
          run: () => findMore.submit({ passed: new Set(), total }),
          isBusy: findMore.isBusy,
        }
      : undefined,
    next:
      round && left > 0
        ? {
            label: bulk.selectNext(Math.min(left, MOST)),
            run: (done?: () => void) => findMore.submit(round, done),
            isBusy: findMore.isBusy,
          }
        : undefined,
    clear: () => {
      setSelected(none);
      setRound(undefined);
      // The button that had the focus is gone with the selection.
      document.querySelector('h1')?.focus();
    },
  };
}

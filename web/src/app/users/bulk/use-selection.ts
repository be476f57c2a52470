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
  const { sorting: _, skipCount: _skipped, ...filter } = input;
  const search = JSON.stringify(filter);
  const [selected, setSelected] = useState(none);
  const [searched, setSearched] = useState(search);
  const present = useRef(search);
  present.current = search;
  if (searched !== search) {
    setSearched(search);
    setSelected(none);
  }
  const findMore = useSubmit(async () => {
    const all = new Map<number, User>();
    for (let skipCount = 0; skipCount < Math.min(total, MOST); skipCount += BATCH) {
      const { items } = await latchkey.call('User/GetAll', { ...input, skipCount, maxResultCount: BATCH });
      for (const user of items) all.set(user.id, user);
    }
    if (present.current === search) setSelected(all);
  });
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
          run: findMore.submit,
          isBusy: findMore.isBusy,
        }
      : undefined,
    clear: () => {
      setSelected(none);
      // The button that had the focus is gone with the selection.
      document.querySelector('h1')?.focus();
    },
  };
}

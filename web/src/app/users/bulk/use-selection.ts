// The selected accounts: kept while the user pages, searches and sorts.
import { useState } from 'react';
import { latchkey } from '../../../api/latchkey.ts';
import type { Choice } from '../../../ui/records.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { words } from '../../../words/index.ts';
import type { User } from '../user.ts';
import type { toInput } from '../user-search.ts';

/** The most accounts that one action changes: each takes a call. */
const MOST = 1000;

/** Accounts of one call. */
const BATCH = 100;

/** @param shown the accounts of this page. @param total how many were found by `input`. */
export function useSelection(shown: readonly User[], total: number, input: ReturnType<typeof toInput>) {
  const [selected, setSelected] = useState<ReadonlyMap<number, User>>(new Map());
  const { bulk } = words.users;
  const findMore = useSubmit(async () => {
    const found = new Map<number, User>();
    for (let skipCount = 0; skipCount < Math.min(total, MOST); skipCount += BATCH) {
      const { items } = await latchkey.call('User/GetAll', { ...input, skipCount, maxResultCount: BATCH });
      for (const user of items) found.set(user.id, user);
    }
    setSelected(found);
  });
  const areAllShown = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  const isMoreFound = areAllShown && selected.size < Math.min(total, MOST);
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
    more: isMoreFound
      ? {
          label: total > MOST ? bulk.selectFirst(MOST) : bulk.selectAll(total),
          run: findMore.submit,
          isBusy: findMore.isBusy,
        }
      : undefined,
    clear: () => {
      setSelected(new Map());
      // The button that had the focus is gone with the selection.
      document.querySelector('h1')?.focus();
    },
  };
}

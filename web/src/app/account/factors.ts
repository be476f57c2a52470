// My second factors and passkeys, and which kinds the settings offer.
import { useQuery } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { canUsePasskeys } from '../../factors/passkeys.ts';
import { readFactorSettings } from '../../factors/settings.ts';
import { useNotify } from '../../ui/notify.tsx';
import { factorsKey, useReread } from './ending.ts';

async function readFactors() {
  const [mine, offered] = await Promise.all([latchkey.call('Factor/GetAll'), readFactorSettings()]);
  const { authenticator, passkeys } = mine;
  return {
    ...mine,
    offered,
    /** The number of second factors. Recovery codes are none. */
    count: passkeys.length + (authenticator.enrolled ? 1 : 0),
    /** Whether a passkey can confirm a change. */
    canConfirmByPasskey: canUsePasskeys && offered.passkeys && passkeys.length > 0,
  };
}

export type Factors = Awaited<ReturnType<typeof readFactors>>;

/** Returns my factors. `null` while they load; `undefined` if there are none and none can be enrolled. */
export function useFactors() {
  const { data, error, isPending, isLoadingError, refetch } = useQuery({ queryKey: factorsKey, queryFn: readFactors });
  if (isLoadingError) return { error, retry: refetch };
  if (isPending) return null;
  const isShown = data && (data.count > 0 || data.offered.authenticator || data.offered.passkeys);
  return isShown ? data : undefined;
}

/** Returns a function that reads my factors again, then shows the notification. It reads them again after `undo`. */
export function useRefreshFactors() {
  const reread = useReread();
  const notify = useNotify();
  return async (text: string, undo?: () => Promise<unknown>) => {
    await reread();
    notify(text, undo && (() => undo().then(reread)));
  };
}

// The external logins of an account, for administrators.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure } from '../../ui/page.tsx';
import { words } from '../../words/more.ts';
import { ExternalLoginList, withNames } from '../external-login-list.tsx';
import { userKey, usersKey } from './user.ts';

const loginsKey = (userId: number) => [...userKey(userId), 'external-logins'];

async function readLogins(userId: number) {
  const [logins, offered] = await Promise.all([
    latchkey.call('User/GetExternalLogins', { userId }),
    latchkey.call('ExternalLogin/GetSignInPages'),
  ]);
  return withNames(logins.items, offered.items);
}

/** Reads the external logins of an account that the user may manage. `isShown`: there are some, or they failed to load. */
export function useExternalLogins(userId: number, isManaged: boolean) {
  const { data, error, refetch } = useQuery({
    queryKey: loginsKey(userId),
    queryFn: () => readLogins(userId),
    enabled: isManaged,
  });
  return {
    logins: data ?? [],
    error,
    retry: refetch,
    isShown: error !== null || (data !== undefined && data.length > 0),
  };
}

export function ExternalLogins(props: ReturnType<typeof useExternalLogins> & { userId: number }) {
  const { userId, logins, error, retry } = props;
  const texts = words.users.external;
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const remove = ({ id, displayName }: (typeof logins)[number]) =>
    ask({
      title: texts.removeTitle(displayName),
      text: texts.removeText,
      yes: texts.remove,
      run: async () => {
        await latchkey.call('User/RemoveExternalLogin', { userId, id });
        await queries.invalidateQueries({ queryKey: usersKey });
        notify(texts.removed(displayName));
      },
    });
  return (
    <>
      {error && <LoadFailure error={error} retry={retry} />}
      <ExternalLoginList logins={logins} labels={[texts.remove, texts.removeOne]} onRemove={remove} />
      {dialog}
    </>
  );
}

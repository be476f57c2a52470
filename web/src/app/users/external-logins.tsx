// What else opens an account: the providers that it is linked to.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure } from '../../ui/page.tsx';
import { words } from '../../words/index.ts';
import { LinkList } from '../link-list.tsx';
import { userKey } from './user.ts';

const linksKey = (userId: number) => [...userKey(userId), 'external-logins'];

const readLinks = async (userId: number) => (await latchkey.call('User/GetExternalLogins', { userId })).items;

/** Whether there is something to show. */
export function useExternalLogins(userId: number) {
  const { data, error, refetch } = useQuery({ queryKey: linksKey(userId), queryFn: () => readLinks(userId) });
  return {
    links: data ?? [],
    error,
    retry: refetch,
    isThere: error !== null || (data !== undefined && data.length > 0),
  };
}

/** @param props.isManaged whether whoever looks may take links away. */
export function ExternalLogins(props: ReturnType<typeof useExternalLogins> & { userId: number; isManaged: boolean }) {
  const { userId, links, error, retry, isManaged } = props;
  const texts = words.users.external;
  const queries = useQueryClient();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const remove = ({ id, provider }: (typeof links)[number]) =>
    ask({
      title: texts.removeTitle(provider),
      text: texts.removeText,
      yes: texts.remove,
      run: async () => {
        await latchkey.call('User/RemoveExternalLogin', { userId, id });
        await queries.invalidateQueries({ queryKey: linksKey(userId) });
        notify(texts.removed(provider));
      },
    });
  if (error) return <LoadFailure error={error} retry={retry} />;
  return (
    <>
      <LinkList links={links} labels={[texts.remove, texts.removeOne]} onTakeAway={isManaged ? remove : undefined} />
      {dialog}
    </>
  );
}

// My external logins, and the providers that I can link.
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { redirectToProvider } from '../../api/authorization-request.ts';
import { canRedirect } from '../../api/authorization-request-key.ts';
import { latchkey } from '../../api/latchkey.ts';
import { ConfirmFactor } from '../../factors/guarded-form.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { WideButton } from '../../ui/wide-button.tsx';
import { words } from '../../words/more.ts';
import { ExternalLoginList, withNames } from '../external-login-list.tsx';
import { useReread } from './ending.ts';

type Links = Awaited<ReturnType<typeof readLinks>>;

const linksKey = ['external-logins'];

async function readLinks() {
  const [linked, offered] = await Promise.all([
    latchkey.call('ExternalLogin/GetAll'),
    latchkey.call('ExternalLogin/GetSignInPages'),
  ]);
  return { linked: withNames(linked.items, offered.items), offered: canRedirect ? offered.items : [] };
}

/** Returns the external logins. `null` while they load; `undefined` if no provider is linked or can be linked. */
export function useLinks() {
  const { data, error, isPending, isLoadingError, refetch } = useQuery({ queryKey: linksKey, queryFn: readLinks });
  if (isLoadingError) return { error, retry: refetch };
  if (isPending) return null;
  return data && data.linked.length + data.offered.length > 0 ? data : undefined;
}

export function ExternalSection({ links }: { links: Exclude<ReturnType<typeof useLinks>, undefined> }) {
  if (links === null) return <Loading rows={2} />;
  if ('error' in links) return <LoadFailure {...links} />;
  return <Overview {...links} />;
}

function Overview({ linked, offered }: Links) {
  const texts = words.account.external;
  const reread = useReread(linksKey);
  const notify = useNotify();
  const [ask, dialog] = useConfirm(ConfirmFactor);
  const { submit, isBusy, problem } = useSubmit((provider: Links['offered'][number]) =>
    redirectToProvider(provider, 'link'),
  );
  const isLinked = (name: string) => linked.some(({ provider }) => provider === name);
  const unlink = ({ id, displayName }: Links['linked'][number]) =>
    ask({
      title: texts.unlinkTitle(displayName),
      text: texts.unlinkText(displayName),
      yes: texts.unlink,
      run: async () => {
        await latchkey.call('ExternalLogin/Unlink', { id });
        await reread();
        notify(texts.unlinked(displayName));
      },
    });
  return (
    <>
      <Text size="sm">{linked.length === 0 ? texts.none : texts.reason}</Text>
      {linked.length > 0 && (
        <ExternalLoginList logins={linked} labels={[texts.unlink, texts.unlinkOne]} onRemove={unlink} />
      )}
      <Group gap="xs">
        {offered.map((provider) => (
          <WideButton key={provider.name} disabled={isBusy} onClick={() => submit(provider)}>
            {(isLinked(provider.name) ? texts.linkAnother : texts.link)(provider.displayName)}
          </WideButton>
        ))}
      </Group>
      <ProblemNotice problem={problem} />
      {dialog}
    </>
  );
}

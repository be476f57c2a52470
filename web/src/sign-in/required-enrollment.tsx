// The enrollment of a second factor that the account must have before anything else.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { AddPasskey } from '../factors/add-passkey.tsx';
import { EnrollAuthenticator } from '../factors/enroll-authenticator.tsx';
import { canUsePasskeys } from '../factors/passkeys.ts';
import { RecoveryCodes } from '../factors/recovery-codes.tsx';
import { readFactorSettings } from '../factors/settings.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';
import { CardPage } from './card-page.tsx';
import { SignOutLink } from './sign-out-link.tsx';
import { useSessionEnd } from './use-session-end.ts';

async function readOffer() {
  const [settings, { user }] = await Promise.all([readFactorSettings(), latchkey.call('Session/GetCurrentLoginInfo')]);
  const { authenticator, passkeys } = settings;
  return { authenticator, passkeys: passkeys && canUsePasskeys, account: user?.userName ?? '' };
}

/**
 * @param props.password the password of the sign-in, or '' after a sign-in without one.
 * @param props.children the way back to the application that asks for the second factor, if one does.
 */
export function RequiredEnrollment(props: { password: string; onDone: () => void; children?: ReactNode }) {
  const { password, onDone, children } = props;
  const offer = useLoad(readOffer);
  const [kind, setKind] = useState<'authenticator' | 'passkey'>();
  const [codes, setCodes] = useState<readonly string[]>();
  const texts = words.factors.required;
  useSessionEnd();
  if (codes) {
    return (
      <CardPage title={words.factors.codes.title} language={null}>
        <RecoveryCodes codes={codes} account={offer.state === 'loaded' ? offer.value.account : ''} onDone={onDone} />
      </CardPage>
    );
  }
  const finish = (recoveryCodes: readonly string[] | undefined) =>
    recoveryCodes === undefined ? onDone() : setCodes(recoveryCodes);
  return (
    <CardPage title={kind === undefined ? texts.title : words.factors.enroll[kind]}>
      {kind === undefined && <Text>{texts.reason}</Text>}
      {offer.state === 'loading' && <Text role="status">{words.common.loading}</Text>}
      {offer.state === 'failed' && (
        <>
          <ProblemNotice problem={offer.problem} />
          <Button variant="default" onClick={offer.retry}>
            {words.common.retry}
          </Button>
        </>
      )}
      {offer.state === 'loaded' && kind === undefined && (
        <Stack gap="sm">
          {offer.value.passkeys && (
            <WideButton onClick={() => setKind('passkey')}>{words.factors.enroll.passkey}</WideButton>
          )}
          {offer.value.authenticator && (
            <WideButton onClick={() => setKind('authenticator')}>{words.factors.enroll.authenticator}</WideButton>
          )}
          {!offer.value.passkeys && !offer.value.authenticator && <Text>{words.factors.challenge.unsupported}</Text>}
        </Stack>
      )}
      {kind === 'authenticator' && <EnrollAuthenticator password={password} hasPasskey={false} onEnrolled={finish} />}
      {kind === 'passkey' && (
        <AddPasskey password={password} hasPasskey={false} onAdded={({ recoveryCodes }) => finish(recoveryCodes)} />
      )}
      {children}
      <Group justify="space-between">
        <SignOutLink>{texts.signOut}</SignOutLink>
        {kind !== undefined && (
          <Anchor component="button" type="button" size="sm" onClick={() => setKind(undefined)}>
            {texts.again}
          </Anchor>
        )}
      </Group>
    </CardPage>
  );
}

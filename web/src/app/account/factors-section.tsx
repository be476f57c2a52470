// My second factors and passkeys.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { words } from '../../words/more.ts';
import { AuthenticatorPart } from './authenticator-part.tsx';
import type { Factors, useFactors } from './factors.ts';
import { PasskeysPart } from './passkeys-part.tsx';
import { RecoveryCodesPart } from './recovery-codes-part.tsx';
import { TrustedDevicesPart } from './trusted-devices-part.tsx';

export function FactorsSection({ factors }: { factors: Exclude<ReturnType<typeof useFactors>, undefined> }) {
  if (factors === null) return <Loading rows={2} />;
  if ('error' in factors) return <LoadFailure {...factors} />;
  return <Overview factors={factors} />;
}

function Overview({ factors }: { factors: Factors }) {
  const { authenticator, passkeys, trustedDevices, offered, count } = factors;
  const texts = words.factors.account;
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      {(offered.passkeys || passkeys.length > 0) && (
        <Part title={texts.passkeys.title} isOff={!offered.passkeys}>
          <PasskeysPart factors={factors} />
        </Part>
      )}
      {(offered.authenticator || authenticator.enrolled) && (
        <Part title={texts.authenticator.title} isOff={!offered.authenticator}>
          <AuthenticatorPart factors={factors} />
        </Part>
      )}
      {count > 0 && (
        <Part title={texts.codes.title}>
          <RecoveryCodesPart factors={factors} />
        </Part>
      )}
      {trustedDevices.length > 0 && (
        <Part title={texts.devices.title}>
          <TrustedDevicesPart devices={trustedDevices} />
        </Part>
      )}
    </>
  );
}

/** @param props.isOff whether the settings have switched this kind off. */
function Part({ title, isOff = false, children }: { title: string; isOff?: boolean; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      {isOff && <Text size="sm">{words.factors.account.off}</Text>}
      {children}
    </Stack>
  );
}

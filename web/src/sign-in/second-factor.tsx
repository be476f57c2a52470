// The second factor of a sign-in, and whether its device is trusted from now on.
import { Checkbox } from '@mantine/core';
import { type Calls, type Challenge, type FactorProvider, isLatchkeyError } from 'latchkey-sdk';
import { use, useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { askForPasskeyOf } from '../factors/passkeys.ts';
import { SecondFactorForm } from '../factors/second-factor-form.tsx';
import { words } from '../words/index.ts';
import { withTarget } from './after-sign-in.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { offeredFactors } from './offered-factors.ts';
import { canTrustDevice, keepTrustedDevice } from './trusted-device.ts';

type Verify = Calls['TokenAuth/VerifySecondFactor'];

export function SecondFactor(props: {
  challenge: Challenge;
  /** The name of the sign-in, if the device can be trusted for it. */
  name: string | undefined;
  onSignedIn: (result: Verify['result']) => void;
}) {
  const { challenge, name, onSignedIn } = props;
  const { challengeToken, twoFactorAuthProviders } = challenge;
  const texts = words.factors.challenge;
  const [isTrusted, setTrusted] = useState(false);
  const { trustedDeviceDays } = use(offeredFactors);
  const days = name !== undefined && canTrustDevice ? trustedDeviceDays : 0;

  async function verify(provider: FactorProvider, code: string) {
    try {
      const proof =
        provider === 'Passkey'
          ? await askForPasskeyOf(latchkey.call('TokenAuth/GetSecondFactorOptions', { challengeToken }))
          : { code };
      const input = { challengeToken, provider, ...proof, rememberClient: isTrusted && days > 0 };
      const result = await latchkey.call('TokenAuth/VerifySecondFactor', input);
      if (name !== undefined && result.twoFactorRememberClientToken) {
        await keepTrustedDevice(name, result.twoFactorRememberClientToken);
      }
      onSignedIn(result);
    } catch (error) {
      if (!isLatchkeyError(error, 'factor.challengeInvalid')) throw error;
      location.replace(withTarget('/login', undefined, 'expired'));
    }
  }

  return (
    <CardPage title={texts.title} language={null}>
      {/* With a checkbox below, the user decides when the code is sent. */}
      <SecondFactorForm has={twoFactorAuthProviders} submitsItself={days === 0} verify={verify}>
        {days > 0 && (
          <Checkbox
            name="trustDevice"
            label={texts.trust(days)}
            description={texts.trustHint}
            checked={isTrusted}
            onChange={(event) => setTrusted(event.currentTarget.checked)}
          />
        )}
      </SecondFactorForm>
      <BackLinks />
    </CardPage>
  );
}

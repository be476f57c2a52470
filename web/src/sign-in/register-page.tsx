// The steps of registration: the address, its pin, and the account.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useLoad } from '../ui/use-load.ts';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { CreateAccount } from './create-account.tsx';
import { fragment } from './fragment.ts';
import { readBeforeReload } from './kept-message.ts';
import { type Registration, readRegistration } from './registration.ts';
import { EnterAddressPin, RequestAddressPin, VerifyByLink } from './verify-address.tsx';

/** The operation of a verified address. `address` is unknown after a link, which does not carry it. */
type Proof = { readonly operationId: string; readonly address: string | undefined };

export function RegisterPage() {
  const registration = useLoad(readRegistration);
  if (registration.state === 'loaded' && registration.value) return <Register registration={registration.value} />;
  return (
    <CardPage title={words.register.title}>
      {registration.state === 'loading' && <Text role="status">{words.common.loading}</Text>}
      {registration.state === 'loaded' && <Text>{words.register.off}</Text>}
      {registration.state === 'failed' && (
        <>
          <ProblemNotice problem={registration.problem} />
          <Button variant="default" onClick={registration.retry}>
            {words.common.retry}
          </Button>
        </>
      )}
      <BackLinks />
    </CardPage>
  );
}

function Register({ registration }: { registration: Registration }) {
  const [sent, setSent] = useState(() => readBeforeReload('register'));
  const [proof, setProof] = useState<Proof>();
  const operationId = fragment.get('operation');
  const pin = fragment.get('pin');
  if (proof) return <CreateAccount registration={registration} {...proof} />;
  if (operationId && pin) {
    return <VerifyByLink given={{ operationId, pin }} onProven={() => setProof({ operationId, address: undefined })} />;
  }
  if (!sent) return <RequestAddressPin means={registration.means} onSent={setSent} />;
  return (
    <EnterAddressPin sent={sent} onProven={() => setProof({ operationId: sent.operationId, address: sent.detail })} />
  );
}

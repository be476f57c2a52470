// Registration of a passkey: the proof of the owner, a name, and the ceremony of the browser.
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { FocusedText } from '../ui/focused-text.tsx';
import { Form } from '../ui/form.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { describeBrowser } from '../ui/user-agent.ts';
import { words } from '../words/index.ts';
import { PasskeyName } from './passkey-name.tsx';
import { addPasskey } from './passkeys.ts';
import { ProofForm } from './proof-form.tsx';
import { type Enrollment, useEnrollment } from './use-enrollment.ts';

type Begun = Calls['Passkey/GetRegistrationOptions']['result'];

/** How long users may take to answer the browser. */
const CEREMONY_MS = 60_000;

export type NewPasskey = Calls['Passkey/Register']['result'];

/** @param props.password the password of the sign-in a moment ago, if any. */
export function AddPasskey(props: { password?: string; hasPasskey: boolean; onAdded: (passkey: NewPasskey) => void }) {
  const { password, hasPasskey, onAdded } = props;
  const enrollment = useEnrollment<Begun>();
  const { begun, over } = enrollment;
  const texts = words.factors.enroll;
  if (begun) return <Create enrollment={enrollment} begun={begun} onAdded={onAdded} />;
  return (
    <ProofForm
      label={texts.passkey}
      submitLabel={texts.submit}
      hasPasskey={hasPasskey}
      {...(password !== undefined && !over && { password })}
      run={async (proof) => enrollment.begin(await latchkey.call('Passkey/GetRegistrationOptions', proof))}
    >
      {over && <FocusedText text={over === 'expired' ? texts.passkeyOver : texts.ended} />}
    </ProofForm>
  );
}

function Create(props: { begun: Begun; enrollment: Enrollment<Begun>; onAdded: (passkey: NewPasskey) => void }) {
  const { begun, enrollment, onAdded } = props;
  const { endIfOver, endIfRefused } = enrollment;
  const texts = words.factors.passkey;
  const [name, setName] = useState(() => describeBrowser(navigator.userAgent));
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(name.trim() === '' ? { name: words.common.required } : {});
    // The device would keep a passkey that the service no longer accepts.
    if (endIfOver(CEREMONY_MS)) return;
    const created = await addPasskey(begun);
    const registering = latchkey.call('Passkey/Register', { ...created, name: name.trim() });
    const registered = await registering.catch(endIfRefused);
    if (registered) onAdded(registered);
  });
  return (
    <Form label={words.factors.enroll.passkey} onSubmit={submit} problem={problem}>
      <FocusedText text={texts.createHint} />
      <PasskeyName value={name} onChange={setName} problem={problem} />
      <FormButtons submit={texts.create} isBusy={isBusy} />
    </Form>
  );
}

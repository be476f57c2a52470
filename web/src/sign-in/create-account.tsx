// The form for a new account, after its address is verified.
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { keepSignedIn, latchkey } from '../api/latchkey.ts';
import { Form } from '../ui/form.tsx';
import { findTypingProblems, NewPassword } from '../ui/new-password.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { goToSignIn, readAuthorization } from './after-sign-in.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { FinishSignIn } from './finish-sign-in.tsx';
import type { Registration } from './registration.ts';
import { type Remaining, remainingAfter } from './remaining.ts';
import { AddressInput } from './verify-address.tsx';

/** Signs in to the new account. @returns what remains, or `undefined` if the account cannot sign in yet. */
async function signInTo(userNameOrEmailAddress: string, password: string): Promise<Remaining | undefined> {
  await latchkey.signOff().catch(() => {});
  keepSignedIn(false);
  try {
    return remainingAfter(await latchkey.call('TokenAuth/Authenticate', { userNameOrEmailAddress, password }));
  } catch {
    return undefined;
  }
}

/** @param props.address the verified address. Absent after a link, which does not carry it: the user types it again. */
export function CreateAccount(props: { registration: Registration; operationId: string; address: string | undefined }) {
  const { registration, operationId, address: known } = props;
  const { means, isEmailUserName, goTo } = registration;
  const addressName = means === 'email' ? 'emailAddress' : 'mobileNumber';
  const [address, setAddress] = useState(known ?? '');
  const [names, setNames] = useState({ userName: '', firstName: '', lastName: '' });
  const [typed, setTyped] = useState({ password: '', repeated: '' });
  const [remaining, setRemaining] = useState<Remaining>();
  const name = (!isEmailUserName && names.userName.trim()) || address.trim();
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...(address.trim() === '' && { [addressName]: words.common.required }),
      ...findTypingProblems(typed, 'password'),
    });
    const { password, repeated: passwordConfirmation } = typed;
    const form = { ...names, [addressName]: address.trim(), password, passwordConfirmation, operationId };
    await latchkey
      .call('UserManagement/Create', form)
      .catch(asFieldError('userName', 'account.userNameTaken'))
      .catch(asFieldError(addressName, 'registration.addressNotProven'));
    // An application waits for its person, who goes on at once.
    const begun = readAuthorization() === null ? undefined : await signInTo(name, password);
    if (begun) return setRemaining(begun);
    await goToSignIn('registered', { target: goTo });
  });

  const nameField = (member: keyof typeof names, label: string, autoComplete: string, description?: string) => (
    <TextInput
      name={member}
      label={label}
      description={description}
      autoComplete={autoComplete}
      value={names[member]}
      onChange={(event) => setNames({ ...names, [member]: event.currentTarget.value })}
      error={problem?.fields[member]}
    />
  );
  if (remaining) return <FinishSignIn remaining={remaining} password={typed.password} name={name} />;
  return (
    <CardPage title={words.register.title} language={null}>
      <Form label={words.register.title} onSubmit={submit} problem={problem}>
        {known === undefined ? (
          <AddressInput
            means={means}
            name={addressName}
            description={words.register.provenByLink}
            value={address}
            onChange={setAddress}
            error={problem?.fields[addressName]}
          />
        ) : (
          <Text role="status">{words.register.proven(known)}</Text>
        )}
        {!isEmailUserName && nameField('userName', words.register.userName, 'username', words.register.userNameReason)}
        {nameField('firstName', words.register.firstName, 'given-name')}
        {nameField('lastName', words.register.lastName, 'family-name')}
        <NewPassword
          value={typed}
          onChange={setTyped}
          problem={problem}
          name="password"
          labels={{ password: words.register.password, repeated: words.register.repeat }}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.register.submit}
        </Button>
      </Form>
      <BackLinks begin="/register" />
    </CardPage>
  );
}

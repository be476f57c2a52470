// Invitations: whether they can be sent, the choice of a language, and the dialog that sends one.
import { Alert, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { meansQuery } from '../../api/means.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { describeDuration } from '../../ui/format.ts';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { displayName, type User } from './user.ts';

export type InvitationLanguage = NonNullable<Calls['User/SendInvitation']['input']['language']>;

const languageNames = (): Readonly<Record<InvitationLanguage, string>> => words.users.invitation.languages;
const isLanguage = (text: string): text is InvitationLanguage => Object.hasOwn(languageNames(), text);
const toLanguage = (text: string): InvitationLanguage => (isLanguage(text) ? text : 'en');

/** Returns the language of the page if invitations have it. */
export const ownLanguage = () => toLanguage(document.documentElement.lang);

export const useInvitationTerms = () =>
  useQuery({ queryKey: ['invitation-terms'], queryFn: () => latchkey.call('User/GetInvitationTerms') });

/** What an invitation does, and in which language. Tells why none can be sent, and that none reaches people. */
export function InvitationFields(props: { language: InvitationLanguage; onChange: (to: InvitationLanguage) => void }) {
  const { language, onChange } = props;
  const { invitation: texts } = words.users;
  const { data: terms, error, isLoadingError, refetch } = useInvitationTerms();
  const means = useQuery(meansQuery);
  if (isLoadingError) return <LoadFailure error={error} retry={refetch} />;
  if (!terms || means.isPending) return <Loading rows={2} />;
  const isOff = means.data?.email === false;
  if (isOff || !terms.isAllowed) {
    return (
      <Alert color="orange" variant="light">
        {isOff ? texts.noMail : texts.notAllowed}
      </Alert>
    );
  }
  return (
    <>
      <Text size="sm">{texts.about(describeDuration(terms.lifetimeSeconds))}</Text>
      {!terms.reachesPeople && (
        <Alert color="orange" variant="light">
          {texts.outbox}
        </Alert>
      )}
      <NativeSelect
        label={texts.language}
        data={Object.entries(languageNames()).map(([value, label]) => ({ value, label }))}
        value={language}
        onChange={(event) => onChange(toLanguage(event.currentTarget.value))}
      />
    </>
  );
}

type Props = { user: User; onDone: (text: string) => Promise<void> };

export function InviteDialog({ isOpen, onClose, ...props }: Props & { isOpen: boolean; onClose: () => void }) {
  const title = words.users.invitation.title(displayName(props.user));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <InviteForm {...props} label={title} />
    </Dialog>
  );
}

function InviteForm({ user, onDone, label }: Props & { label: string }) {
  const { invitation: texts } = words.users;
  const { data: terms } = useInvitationTerms();
  const [language, setLanguage] = useState(ownLanguage);
  const { submit, isBusy, problem } = useSubmit(async () => {
    await latchkey.call('User/SendInvitation', { userId: user.id, language });
    const name = displayName(user);
    await onDone(terms?.reachesPeople ? texts.sent(name) : texts.inOutbox(name));
  });
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <Stack gap="md">
        {user.emailAddress !== null && <Text size="sm">{texts.to(user.emailAddress)}</Text>}
        <InvitationFields language={language} onChange={setLanguage} />
        <FormButtons submit={texts.send} isBusy={isBusy} isDisabled={!terms?.isAllowed} />
      </Stack>
    </Form>
  );
}

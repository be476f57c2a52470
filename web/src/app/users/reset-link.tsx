// The dialog that mails an account the link to reset its password, or says why none can be sent.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { latchkey } from '../../api/latchkey.ts';
import { meansQuery } from '../../api/means.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { describeDuration } from '../../ui/format.ts';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { useInvitationTerms } from './invite.tsx';
import { displayName, type User } from './user.ts';

/** `edit` and `resetPassword` open the dialogs in place of this one. */
type Props = {
  user: User;
  edit: () => void;
  resetPassword: (() => void) | undefined;
  onDone: (text: string) => Promise<void>;
};

export function ResetLinkDialog({ isOpen, onClose, ...props }: Props & { isOpen: boolean; onClose: () => void }) {
  const title = words.users.resetLink.title(displayName(props.user));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <ResetLinkForm {...props} label={title} />
    </Dialog>
  );
}

function ResetLinkForm({ user, onDone, label, ...others }: Props & { label: string }) {
  const { resetLink: texts, invitation } = words.users;
  const { data: terms, error, isLoadingError, refetch } = useInvitationTerms();
  const means = useQuery(meansQuery);
  const { submit, isBusy, problem } = useSubmit(async () => {
    await latchkey.call('User/SendEmailLink', { username: user.userName });
    const name = displayName(user);
    await onDone(terms?.reachesPeople ? texts.sent(name) : invitation.inOutbox(name));
  });
  if (isLoadingError) return <LoadFailure error={error} retry={refetch} />;
  if (!terms || means.isPending) return <Loading rows={2} />;
  const address = user.isEmailConfirmed ? user.emailAddress : null;
  const obstacles = [
    ...(user.emailAddress === null ? [texts.noAddress] : []),
    ...(user.emailAddress !== null && address === null ? [texts.unverified(user.emailAddress)] : []),
    ...(user.isActive ? [] : [texts.inactive]),
    ...(means.data?.email === false ? [texts.noMail] : []),
    ...(terms.isAllowed ? [] : [texts.notAllowed]),
  ];
  if (obstacles.length > 0) {
    return (
      <Stack gap="sm">
        {obstacles.map((text) => (
          <Alert key={text} color="orange" variant="light">
            {text}
          </Alert>
        ))}
        <Group justify="flex-end" gap="xs">
          {address === null && (
            <Button variant="default" onClick={others.edit}>
              {words.users.edit}
            </Button>
          )}
          {others.resetPassword && <Button onClick={others.resetPassword}>{words.users.actions.resetPassword}</Button>}
        </Group>
      </Stack>
    );
  }
  return (
    <Form label={label} onSubmit={submit} problem={problem}>
      <Stack gap="md">
        <Text size="sm">{texts.about(address ?? '', describeDuration(terms.lifetimeSeconds))}</Text>
        {!terms.reachesPeople && (
          <Alert color="orange" variant="light">
            {invitation.outbox}
          </Alert>
        )}
        <FormButtons submit={texts.send} isBusy={isBusy} />
      </Stack>
    </Form>
  );
}

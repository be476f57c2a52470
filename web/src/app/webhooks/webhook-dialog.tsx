// The dialog to create or edit a webhook. It shows the secret of a new one, and leads to its page, which can send a test.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { findChanges } from '../settings/definition.ts';
import { EventsField } from './events-field.tsx';
import { titleOf, type Webhook } from './webhook.ts';

type Typed = Pick<Webhook, 'url' | 'actions' | 'description'>;

const empty: Typed = { url: '', actions: [], description: '' };

const toInput = ({ url, actions, description }: Typed) => ({
  url: url.trim(),
  actions: [...actions],
  description: description.trim(),
});

export function WebhookDialog(props: {
  edited: Webhook | 'new';
  onClose: () => void;
  onSaved: (webhook: Webhook) => Promise<void>;
}) {
  const { edited, onClose, onSaved } = props;
  const texts = words.webhooks;
  const isNew = edited === 'new';
  // The page reads its webhook again and again.
  const [former] = useState<Typed>(isNew ? empty : edited);
  const [typed, setTyped] = useState(former);
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ id: string; secret: string }>();
  const { submit, isBusy, problem } = useSubmit(async () => {
    const input = toInput(typed);
    requireFields({
      ...(input.url === '' && { url: words.common.required }),
      ...(input.actions.length === 0 && { actions: texts.events.none }),
    });
    if (!isNew) {
      const { id } = edited;
      const { items } = await latchkey.call('Webhook/GetAll');
      const present = items.find((one) => one.id === id) ?? former;
      const changes = findChanges(toInput(former), input, toInput(present));
      return onSaved(await latchkey.call('Webhook/Update', { id, ...changes }));
    }
    const webhook = await latchkey.call('Webhook/Create', input);
    setCreated(webhook);
    return onSaved(webhook);
  });
  const title = isNew ? texts.add : texts.editOne(titleOf(edited));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={created ? texts.created.title : title}
      isHeld={created !== undefined}
      showsOnce={isNew}
      isWide
    >
      {created ? (
        <ShownOnce value={created.secret} texts={texts.created} onDone={() => navigate(`/webhooks/${created.id}`)} />
      ) : (
        <Form label={title} onSubmit={submit} problem={problem}>
          <TextInput
            name="url"
            type="url"
            label={texts.columns.url}
            description={texts.urlHint}
            value={typed.url}
            error={problem?.fields.url}
            onChange={(event) => setTyped({ ...typed, url: event.currentTarget.value })}
            maxLength={2000}
            autoComplete="off"
            required
            withAsterisk={false}
            data-autofocus
          />
          <EventsField
            value={[...typed.actions]}
            error={problem?.fields.actions}
            onChange={(actions) => setTyped({ ...typed, actions })}
          />
          <TextInput
            name="description"
            label={texts.description}
            description={texts.descriptionHint}
            value={typed.description}
            error={problem?.fields.description}
            onChange={(event) => setTyped({ ...typed, description: event.currentTarget.value })}
            maxLength={1000}
            autoComplete="off"
          />
          <FormButtons submit={isNew ? words.common.create : words.common.save} isBusy={isBusy} />
        </Form>
      )}
    </Dialog>
  );
}

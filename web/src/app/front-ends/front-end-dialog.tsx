// The dialog to add or edit a front end.
import { Textarea, TextInput } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { findChanges } from '../settings/definition.ts';

type Input = Required<Calls['FrontEndApp/Update']['input']>;

export type Change = { readonly before: Input; readonly after: Input };

export const frontEndsKey = ['front-ends'];

export type FrontEnd = Calls['FrontEndApp/GetAll']['result']['items'][number];

export function FrontEndDialog(props: {
  edited: FrontEnd | 'new';
  onClose: () => void;
  /** @param saved the front end as it was and as it is, unless it is new. */
  onSaved: (text: string, saved?: Change) => Promise<void>;
}) {
  const { edited, onClose, onSaved } = props;
  const isNew = edited === 'new';
  const [typed, setTyped] = useState(isNew ? { name: '', appKey: '', description: '' } : edited);
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { name, appKey, description } = typed;
    requireFields({
      ...(name.trim() === '' && { name: words.common.required }),
      ...(appKey.trim() === '' && { appKey: words.common.required }),
    });
    const input = { name: name.trim(), appKey: appKey.trim(), description };
    const text = words.frontEnds.saved(input.name);
    if (isNew) {
      await latchkey.call('FrontEndApp/Create', input);
      return onSaved(text);
    }
    const { id } = edited;
    const former = { name: edited.name, appKey: edited.appKey, description: edited.description };
    await latchkey.call('FrontEndApp/Update', { id, ...findChanges(former, input) });
    return onSaved(text, { before: { id, ...former }, after: { id, ...input } });
  });
  const field = (name: 'name' | 'appKey' | 'description') => ({
    name,
    label: words.frontEnds.columns[name],
    value: typed[name],
    error: problem?.fields[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  });
  const title = isNew ? words.frontEnds.add : words.frontEnds.editOne(edited.name);
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form label={title} onSubmit={submit} problem={problem}>
        <TextInput {...field('name')} required withAsterisk={false} data-autofocus />
        <TextInput
          {...field('appKey')}
          description={words.frontEnds.keyHint}
          required
          withAsterisk={false}
          autoCapitalize="none"
          spellCheck={false}
        />
        <Textarea {...field('description')} autosize minRows={2} />
        <FormButtons submit={isNew ? words.common.create : words.common.save} isBusy={isBusy} />
      </Form>
    </Dialog>
  );
}

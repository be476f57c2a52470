// The form for the name of a passkey.
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { PasskeyName } from '../../factors/passkey-name.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { useRefreshFactors } from './factors.ts';

export function RenamePasskey({ passkey, onDone }: { passkey: { id: string; name: string }; onDone: () => void }) {
  const texts = words.factors.account.passkeys;
  const [name, setName] = useState(passkey.name);
  const refresh = useRefreshFactors();
  const { submit, isBusy, problem } = useSubmit(async () => {
    const chosen = name.trim();
    requireFields(chosen === '' ? { name: words.common.required } : {});
    const { id, name: former } = passkey;
    await latchkey.call('Passkey/Rename', { id, name: chosen });
    await refresh(texts.renamed(chosen), () => latchkey.call('Passkey/Rename', { id, name: former }));
    onDone();
  });
  return (
    <Form label={texts.renameTitle} onSubmit={submit} problem={problem}>
      <PasskeyName value={name} onChange={setName} problem={problem} />
      <FormButtons submit={words.common.save} isBusy={isBusy} />
    </Form>
  );
}

// The page on which a provider is added: its type, its fields, and beside them what to do at the provider.
import { Button, NativeSelect, Paper, SimpleGrid, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { LoadFailure, Loading, Page } from '../../ui/page.tsx';
import { asFieldError, requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/all.ts';
import { isSame } from '../settings/definition.ts';
import { UnsavedGuard } from '../settings/unsaved-guard.tsx';
import {
  describeType,
  findMissing,
  newTyped,
  type ProviderType,
  providersKey,
  redirectUriOf,
  retype,
  type Typed,
  toNew,
  useTypes,
} from './provider.ts';
import { MainFields, MoreFields } from './provider-form.tsx';
import { TypeGuide } from './type-guide.tsx';

export function AddProviderPage() {
  const texts = words.externalProviders;
  const { data, error, isPending, refetch } = useTypes();
  return (
    <Page title={texts.add} trail={[{ path: '/external-providers', label: texts.title }]}>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && <Content types={data} />}
    </Page>
  );
}

function Content({ types }: { types: readonly ProviderType[] }) {
  const texts = words.externalProviders;
  const [form, setForm] = useState<{ type: ProviderType; typed: Typed }>();
  const choose = (name: string) => {
    const type = types.find((one) => one.type === name);
    setForm(type && { type, typed: form ? retype(form.typed, form.type, type) : newTyped(type) });
  };
  return (
    <>
      <Text>{texts.addReason}</Text>
      <NativeSelect
        label={texts.columns.type}
        description={texts.typeHint}
        data={[
          { value: '', label: texts.choose, disabled: form !== undefined },
          ...types.map((one) => ({ value: one.type, label: describeType(one) })),
        ]}
        value={form?.type.type ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
        maw={480}
      />
      {form && <AddForm key={form.type.type} {...form} setTyped={(typed) => setForm({ ...form, typed })} />}
    </>
  );
}

function AddForm(props: { type: ProviderType; typed: Typed; setTyped: (typed: Typed) => void }) {
  const { type, typed, setTyped } = props;
  const texts = words.externalProviders;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const isSaved = useRef(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields(findMissing(type, typed, true));
    const from = location.pathname;
    const { id, displayName } = await latchkey
      .call('ExternalProvider/Create', toNew(type.type, typed))
      .catch(asFieldError('name', 'externalProvider.nameTaken'))
      .catch(asFieldError('name', 'externalProvider.hasLogins'));
    isSaved.current = true;
    await queries.invalidateQueries({ queryKey: providersKey });
    notify(texts.added(displayName));
    // Whoever has left meanwhile stays where they are.
    if (location.pathname === from) await navigate(`/external-providers/${id}`);
  });
  const fields = { type, typed, change: (changes: Partial<Typed>) => setTyped({ ...typed, ...changes }), problem };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      <UnsavedGuard isDirty={!isSame(typed, newTyped(type))} isSaved={isSaved} />
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
        <Form label={texts.add} onSubmit={submit} problem={problem}>
          <MainFields {...fields} isNew />
          <MoreFields {...fields} />
          <FormButtons
            submit={words.common.create}
            isBusy={isBusy}
            cancel={
              <Button variant="default" component={Link} to="/external-providers">
                {words.common.cancel}
              </Button>
            }
          />
        </Form>
      </Paper>
      <TypeGuide type={type} uri={redirectUriOf(type, typed.name)} />
    </SimpleGrid>
  );
}

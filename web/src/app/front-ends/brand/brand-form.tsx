// The form of a brand: name, logo, colours, links, and texts for each language.
import { Button, Paper, Stack, TextInput, Title } from '@mantine/core';
import { isLatchkeyError } from 'latchkey-sdk';
import type { Dispatch, ReactNode, SetStateAction } from 'react';
import { latchkey } from '../../../api/latchkey.ts';
import type { Brand } from '../../../ui/application.ts';
import { isHexColour } from '../../../ui/colour.ts';
import { Form } from '../../../ui/form.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { useNotify } from '../../../ui/notify.tsx';
import { InputError, requireFields } from '../../../ui/problem.ts';
import { tokens } from '../../../ui/tokens.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { words } from '../../../words/all.ts';
import { isSame } from '../../settings/definition.ts';
import { UnsavedGuard } from '../../settings/unsaved-guard.tsx';
import { ColourField } from './colour-field.tsx';
import { LegibilityNotice } from './legibility-notice.tsx';
import { LogoField } from './logo-field.tsx';
import { BRAND_SETTING, type OwnBrand, type TextMember } from './own-brand.ts';
import { TextsField } from './texts-field.tsx';

const colourMembers = ['accent', 'backgroundLight', 'backgroundDark'] as const;

export function BrandForm(props: {
  appKey: string;
  frontEndName: string;
  /** The saved value. */
  base: OwnBrand;
  inherited: Brand;
  value: OwnBrand;
  onChange: Dispatch<SetStateAction<OwnBrand>>;
  onSaved: () => Promise<unknown>;
}) {
  const { appKey, frontEndName, base, inherited, value, onChange, onSaved } = props;
  const texts = words.brand.edit;
  const notify = useNotify();
  const isDirty = !isSame(value, base);
  const save = (next: OwnBrand, expected: OwnBrand) =>
    latchkey.call('Settings/UpdateValue', { name: BRAND_SETTING, appKey, value: next, expected });
  const { submit, isBusy, problem } = useSubmit(async () => {
    const bad = colourMembers.filter((member) => value[member] !== '' && !isHexColour(value[member]));
    requireFields(Object.fromEntries(bad.map((member) => [member, texts.badColour])));
    const next = { ...value, name: value.name.trim() };
    // The form stays after the call: it shows the name as it is saved.
    onChange(next);
    await save(next, base).catch((error) => {
      throw isLatchkeyError(error, 'setting.conflict') ? new InputError({ brand: texts.conflict }) : error;
    });
    notify(texts.saved(frontEndName), () => save(base, next).then(onSaved));
    await onSaved();
  });
  // A logo arrives after its upload, and more may be typed meanwhile.
  const set = (member: TextMember) => (text: string) => onChange((latest) => ({ ...latest, [member]: text }));
  const textField = (member: TextMember, label: string, description: string, maxLength: number) => (
    <TextInput
      name={member}
      label={label}
      description={description}
      maxLength={maxLength}
      value={value[member]}
      onChange={(event) => set(member)(event.currentTarget.value)}
      error={problem?.fields[member]}
    />
  );
  const colourField = (member: (typeof colourMembers)[number], label: string, description?: string) => (
    <ColourField
      name={member}
      label={label}
      description={description}
      value={value[member]}
      onChange={set(member)}
      error={problem?.fields[member]}
    />
  );
  return (
    <Form label={texts.title(frontEndName)} onSubmit={submit} problem={problem}>
      <UnsavedGuard isDirty={isDirty} />
      <Section title={texts.sections.look}>
        {textField('name', texts.name, texts.nameHint(inherited.name), 60)}
        <LogoField
          label={texts.logo}
          description={texts.logoHint}
          background={tokens.card[0]}
          value={value.logo}
          onChange={set('logo')}
        />
        {(value.logo !== '' || value.logoDark !== '') && (
          <LogoField
            label={texts.logoDark}
            description={texts.logoDarkHint}
            background={tokens.card[1]}
            value={value.logoDark}
            onChange={set('logoDark')}
          />
        )}
        <div>
          {colourField('accent', texts.accent, texts.accentHint)}
          <LegibilityNotice colour={value.accent} onUse={set('accent')} />
        </div>
        {colourField('backgroundLight', texts.backgroundLight)}
        {colourField('backgroundDark', texts.backgroundDark)}
      </Section>
      <Section title={texts.sections.links}>
        {textField('terms', texts.terms, texts.addressHint, 300)}
        {textField('privacy', texts.privacy, texts.addressHint, 300)}
        {textField('support', texts.support, texts.supportHint, 300)}
      </Section>
      <Section title={texts.sections.texts}>
        <TextsField
          value={value.texts}
          onChange={(entries) => onChange({ ...value, texts: entries })}
          problems={problem?.fields ?? {}}
        />
      </Section>
      <FormButtons
        submit={texts.save}
        isBusy={isBusy}
        isDisabled={!isDirty}
        cancel={
          <Button variant="default" onClick={() => onChange(base)} disabled={!isDirty || isBusy}>
            {words.common.cancel}
          </Button>
        }
      />
    </Form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="md">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

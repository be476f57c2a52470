// Title and note of the sign-in form, for each language.
import { Button, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { languages, nameLanguage, words } from '../../../words/all.ts';
import type { BrandText } from './own-brand.ts';

const nameOf = (tag: string) => nameLanguage(tag, document.documentElement.lang);

export function TextsField(props: {
  value: readonly BrandText[];
  onChange: (value: readonly BrandText[]) => void;
  problems: Readonly<Record<string, string>>;
}) {
  const { value, onChange, problems } = props;
  const texts = words.brand.edit;
  const free = languages.filter((tag) => !value.some(({ language }) => language === tag));
  const change = (index: number, part: Partial<BrandText>) =>
    onChange(value.map((one, place) => (place === index ? { ...one, ...part } : one)));
  return (
    <Stack gap="md">
      {value.length > 1 && <Text size="sm">{texts.textsHint}</Text>}
      {value.map(({ language, title, note }, index) => {
        const others = languages.filter((tag) => tag === language || free.includes(tag));
        const known = others.includes(language) ? others : [...others, language];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the language can be changed, and its field keeps the focus.
          <Fieldset key={index} legend={nameOf(language)}>
            <Stack gap="sm">
              <NativeSelect
                name={`texts.${index}.language`}
                label={texts.language}
                data={known.map((tag) => ({ value: tag, label: nameOf(tag) }))}
                value={language}
                onChange={(event) => change(index, { language: event.currentTarget.value })}
                error={problems[`texts.${index}.language`]}
              />
              <TextInput
                name={`texts.${index}.title`}
                label={texts.formTitle}
                maxLength={80}
                value={title}
                onChange={(event) => change(index, { title: event.currentTarget.value })}
                error={problems[`texts.${index}.title`]}
              />
              <Textarea
                name={`texts.${index}.note`}
                label={texts.note}
                maxLength={300}
                autosize
                minRows={2}
                value={note}
                onChange={(event) => change(index, { note: event.currentTarget.value.replace(/[\r\n]+/g, ' ') })}
                error={problems[`texts.${index}.note`]}
              />
              <Group>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChange(value.filter((_, place) => place !== index))}
                >
                  {texts.removeText(nameOf(language))}
                </Button>
              </Group>
            </Stack>
          </Fieldset>
        );
      })}
      {free[0] && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => onChange([...value, { language: free[0] ?? '', title: '', note: '' }])}
          >
            {texts.addText}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

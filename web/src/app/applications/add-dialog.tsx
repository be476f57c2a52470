// The dialog to add an application: for a program of the list it asks for the host name, and fills the rest in. It shows the
// lines to paste into the program, and leads to the page of the application.
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { latchkey } from '../../api/latchkey.ts';
import { makeSecret } from '../../api/secret.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { type Problem, requireFields } from '../../ui/problem.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { takeFocus } from '../../ui/take-focus.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { translate, words } from '../../words/all.ts';
import { toCode, toVariables } from '../connect/snippets.ts';
import {
  type Application,
  fill,
  fillValues,
  isAnswer,
  type Kind,
  readAnswer,
  readList,
  type Template,
  useTemplates,
} from './application.ts';

/** A new application, and the lines that its program needs. A listed program has all of them, the others more on its page. */
type NewApplication = {
  readonly application: Application;
  readonly hasSecret: boolean;
  readonly isListed: boolean;
  readonly lines: string;
};

export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<unknown> }) {
  const texts = words.applications;
  const { data, error, isPending, refetch } = useTemplates();
  const [created, setCreated] = useState<NewApplication>();
  const title = created ? texts.created.title(created.application.name) : texts.add;
  return (
    <Dialog isOpen onClose={onClose} title={title} isHeld={created !== undefined} showsOnce isWide>
      {isPending && <Loading />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !created && (
        <AddForm
          templates={data}
          onAdded={async (added) => {
            setCreated(added);
            await onAdded();
          }}
        />
      )}
      {created && <Created created={created} />}
    </Dialog>
  );
}

function Created({ created: { application, hasSecret, isListed, lines } }: { created: NewApplication }) {
  const navigate = useNavigate();
  const texts = words.applications.created;
  return (
    <ShownOnce
      value={lines}
      isCode
      texts={{ ...texts, ...(!hasSecret && { reason: texts.lines }), copied: texts.linesCopied }}
      onDone={() => navigate(`/applications/${application.id}${isListed ? '' : '?tab=connect'}`)}
    />
  );
}

/** What is typed. `program` is empty for an application that is not in the list. */
type Typed = { program: string; name: string | undefined; answers: Record<string, string>; kind: Kind; uris: string };

const empty: Typed = { program: '', name: undefined, answers: {}, kind: 'web', uris: '' };

function AddForm(props: { templates: readonly Template[]; onAdded: (added: NewApplication) => Promise<void> }) {
  const { templates, onAdded } = props;
  const texts = words.applications;
  const [typed, setTyped] = useState(empty);
  const template = templates.find(({ key }) => key === typed.program);
  const name = typed.name ?? template?.name ?? '';
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { answers, values } = readTyped(typed, template, name);
    // First of all: the secret is shown once, so nothing may fail after it.
    const { url } = await latchkey.call('FrontEndApp/GetConnection');
    const application = await latchkey.call('Application/Create', { ...values, name: name.trim() });
    const { clientId, clientSecret } = application;
    const lines = template
      ? fill(template.snippet, { ...answers, clientId, ...(clientSecret !== null && { clientSecret }) }).trimEnd()
      : toOwnLines(application, url, clientSecret);
    await onAdded({ application, hasSecret: clientSecret !== null, isListed: template !== undefined, lines });
  });
  return (
    <Form label={texts.add} onSubmit={submit} problem={problem}>
      <NativeSelect
        name="program"
        label={texts.program}
        description={texts.programHint}
        data={[
          { value: '', label: texts.other },
          ...templates.map(({ key, name: label }) => ({ value: key, label: translate(texts.programs, label) })),
        ]}
        value={typed.program}
        onChange={(event) => setTyped({ ...empty, program: event.currentTarget.value })}
        // The dialog focuses it when it opens. The templates may come after that.
        data-autofocus
        ref={takeFocus}
      />
      {template ? (
        <Asks template={template} typed={typed} setTyped={setTyped} problem={problem} />
      ) : (
        <OtherFields typed={typed} setTyped={setTyped} problem={problem} />
      )}
      <TextInput
        name="name"
        label={texts.columns.name}
        description={texts.nameHint}
        value={name}
        error={problem?.fields.name}
        onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
        maxLength={100}
        autoComplete="off"
        required
        withAsterisk={false}
      />
      <FormButtons submit={words.common.create} isBusy={isBusy} />
    </Form>
  );
}

/** Returns what a program that is not in the list needs first: its variables, or its code. */
function toOwnLines(application: Application, url: string, clientSecret: string | null): string {
  if (clientSecret === null) return toCode(application, url);
  if (application.kind === 'machine') return toCode(application, url, clientSecret);
  return toVariables(application, url, makeSecret(), clientSecret);
}

/** Returns what the service takes. @throws InputError if something is missing. */
function readTyped({ answers, kind, uris }: Typed, template: Template | undefined, name: string) {
  const { hostFault, urisFault } = words.applications;
  const asks = template?.asks ?? [];
  const read = Object.fromEntries(asks.map((ask) => [ask.name, readAnswer(answers[ask.name] ?? '')]));
  const wrong = asks.filter((ask) => !isAnswer(read[ask.name] ?? '')).map((ask) => [ask.name, hostFault(ask.example)]);
  const redirectUris = readList(uris);
  const lacksUris = !template && kind !== 'machine' && redirectUris.length === 0;
  requireFields({
    ...Object.fromEntries(wrong),
    ...(lacksUris && { redirectUris: urisFault }),
    ...(name.trim() === '' && { name: words.common.required }),
  });
  const own = { kind, ...(kind !== 'machine' && { redirectUris }) };
  return { answers: read, values: template ? fillValues(template, read) : own };
}

type FieldProps = { typed: Typed; setTyped: (typed: Typed) => void; problem: Problem | undefined };

function Asks({ template, typed, setTyped, problem }: FieldProps & { template: Template }) {
  const texts = words.applications;
  return template.asks.map((ask) => (
    <TextInput
      key={ask.name}
      name={ask.name}
      label={texts.asks[ask.name] ?? ask.label}
      description={texts.example(ask.example)}
      value={typed.answers[ask.name] ?? ''}
      error={problem?.fields[ask.name]}
      onChange={(event) => setTyped({ ...typed, answers: { ...typed.answers, [ask.name]: event.currentTarget.value } })}
      maxLength={300}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
    />
  ));
}

function OtherFields({ typed, setTyped, problem }: FieldProps) {
  const texts = words.applications;
  return (
    <>
      <NativeSelect
        name="kind"
        label={texts.columns.kind}
        description={texts.kindHints[typed.kind]}
        data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
        value={typed.kind}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value === 'web' || value === 'browser' || value === 'native' || value === 'machine')
            setTyped({ ...typed, kind: value });
        }}
      />
      {typed.kind !== 'machine' && (
        <Textarea
          name="redirectUris"
          label={texts.fields.redirectUris}
          description={texts.fields.redirectUrisHint}
          value={typed.uris}
          error={problem?.fields.redirectUris}
          onChange={(event) => setTyped({ ...typed, uris: event.currentTarget.value })}
          autosize
          minRows={2}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </>
  );
}

// The texts and presets of the settings page, compared with the service's definitions.
// Alone in its process: it stands in for a browser's globals.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingDefinitions } from '../server/src/app/catalogue.ts';
import { findBrokenBounds } from '../server/src/settings/index.ts';
import { load, type Schema, textsOf } from './support/words.ts';

const { definitions: german } = await load('web/src/words/de-definitions.ts');
const { definitions: french } = await load('web/src/words/fr-definitions.ts');
const { presets, proposeChanges } = await load('web/src/app/settings/presets.ts');

describe('the texts of settings', () => {
  it('have a German and a French translation each, and no translation is left over', () => {
    const shown = new Set(settingDefinitions.flatMap(textsOf));
    for (const translations of [german, french]) {
      assert.deepEqual(Object.keys(translations).toSorted(), [...shown].toSorted());
      for (const [english, translation] of Object.entries(translations)) assert.notEqual(translation, '', english);
    }
  });
});

describe('the effects of settings', () => {
  const told = async (security: object, tokens: object, questions: readonly object[] = []) => {
    // The pages take the language of the document.
    Object.defineProperty(globalThis, 'document', { value: { documentElement: { lang: 'en' } }, configurable: true });
    await (await load('web/src/words/index.ts')).loadWords(['en']);
    const { describeEffects } = await load('web/src/app/settings/effects.ts');
    const values: Readonly<Record<string, object>> = {
      'Shesha.Security': Object.assign({}, find('Shesha.Security').default, security),
      'Latchkey.Tokens': Object.assign({}, find('Latchkey.Tokens').default, tokens),
      'Latchkey.SecurityQuestions': questions,
    };
    return describeEffects(Object.keys(values), (name: string) => ({ value: values[name] })).join(' ') as string;
  };

  it('say what ends a session without activity: the token, or automatic log-off', async () => {
    const off = await told({ useAutoLogoff: false }, { accessTokenLifetime: 300 });
    assert.match(off, /signed out when their token expires. A token is valid for 5 minutes/);
    assert.match(off, /Clients refresh it while their user is active/);
    const on = await told({ useAutoLogoff: true, autoLogoffTimeout: 1800 }, { accessTokenLifetime: 300 });
    assert.match(
      on,
      /After 30 minutes without activity, open pages sign their user out. Until then, they keep the token/,
    );
    assert.match(on, /A device that sleeps for longer than 5 minutes cannot/);
    assert.match(on, /Open pages refresh it until their user has been inactive for 30 minutes/);
    const long = await told({ useAutoLogoff: true, autoLogoffTimeout: 1800 }, { accessTokenLifetime: 3600 });
    assert.doesNotMatch(long, /sleeps/);
  });

  it('name security questions as a way to reset a password only if there are enough', async () => {
    const on = { useResetPasswordViaSecurityQuestions: true };
    const enough = await told(on, {}, [{}, {}, {}]);
    assert.match(enough, /or 3 answers to security questions\./);
    assert.doesNotMatch(enough, /reset no password/);
    const few = await told(on, {}, [{}, {}]);
    assert.doesNotMatch(few, /answers to/);
    assert.match(few, /Security questions reset no password: it takes 3 of them, and the list has 2\./);
    assert.doesNotMatch(await told({}, {}, [{}, {}]), /reset no password/);
  });
});

type Requirement = {
  setting: string;
  member?: string;
  section?: string;
  is?: unknown;
  atLeast?: number;
  atMost?: number;
  isDefault?: true;
};

/** Definitions as the page has them. */
const definitions = settingDefinitions.map((one) => ({ ...one, categoryName: one.category }));

const find = (name: string) => definitions.find((one) => one.name === name) ?? assert.fail(name);

const FRONT_ENDS = ['default-app', 'kiosk'];

/** What a preset changes while `present` values apply, by setting and front end. */
const propose = (preset: string, present: Readonly<Record<string, unknown>> = {}) =>
  proposeChanges(preset, definitions, FRONT_ENDS, (one: { name: string; default: unknown }) =>
    Object.hasOwn(present, one.name) ? present[one.name] : one.default,
  ) as { definition: { name: string }; appKey?: string; draft: { value: unknown }; sections: string[] }[];

describe('the presets of settings', () => {
  it('name settings that exist, and values within their bounds that an administrator can also miss', () => {
    for (const requirement of Object.values(presets).flat() as Requirement[]) {
      const { setting, member, section, is, atLeast, atMost, isDefault } = requirement;
      const definition = find(setting);
      if (isDefault) continue;
      const schema = definition.schema as Schema;
      const own = member === undefined ? schema : (schema.properties?.[member] ?? assert.fail(`${setting}.${member}`));
      assert.deepEqual(findBrokenBounds({ schema: own as never }, is ?? atLeast ?? atMost), [], setting);
      assert.match(section ?? '', /^\d(\.\d+)+$/, setting);
      if (atLeast !== undefined) assert.ok(Number(own.minimum) < atLeast, setting);
      if (atMost !== undefined) assert.ok(Number(own.maximum) > atMost, setting);
    }
  });

  it('lead to values that the service accepts and that comply', () => {
    for (const preset of Object.keys(presets)) {
      const after: Record<string, unknown> = {};
      for (const { definition, draft } of propose(preset)) {
        assert.deepEqual(findBrokenBounds(find(definition.name), draft.value), [], definition.name);
        after[definition.name] = draft.value;
      }
      assert.deepEqual(propose(preset, after), [], preset);
    }
  });

  it('of NIST change what the defaults of the service do not fulfil, for each front end', () => {
    const told = propose('aal1').map(({ definition, appKey, draft, sections }) => [
      definition.name.split('.').at(-1),
      appKey,
      draft.value,
      sections,
    ]);
    assert.deepEqual(
      told,
      FRONT_ENDS.map((appKey) => ['RequiredLength', appKey, 15, ['3.1.1.2']]),
    );
    const strict = propose('aal2').map(({ definition }) => definition.name);
    assert.deepEqual([...new Set(strict)].toSorted(), [
      'Latchkey.Factors',
      'Latchkey.Factors.SecondFactor',
      'Latchkey.Tokens',
      'Shesha.Security',
    ]);
  });

  it('of Shesha are the settings of the specification, 2.2 to 2.4, with the defaults of the service', () => {
    const names = (presets.shesha as Requirement[]).map(({ setting }) => setting);
    const specified = definitions.filter(({ name }) => /^(Shesha\.Security$|Abp\.Zero\.UserManagement\.)/.test(name));
    assert.deepEqual(names.toSorted(), specified.map(({ name }) => name).toSorted());
    const [change] = propose('shesha', {
      'Shesha.Security': { ...(find('Shesha.Security').default as object), useAutoLogoff: true },
    });
    assert.deepEqual(change?.draft.value, find('Shesha.Security').default);
    assert.equal(propose('shesha').length, 0);
  });
});

// The text of docs/reference/conformance.md, from the standards in server/src/conformance.
import {
  type Condition,
  countVerdicts,
  membersOf,
  type Requirement,
  readTest,
  type Standard,
  VERDICTS,
  verdictOf,
} from '../../server/src/conformance/index.ts';
import type { SettingDefinition } from '../../server/src/foundation/setting.ts';
import { code, page, table } from './markdown.ts';

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const labelOf = (test: string) => {
  const { file, title } = readTest(test);
  return `${code(file)}: ${title.replaceAll('<', '\\<')}`;
};

function describeSafe(condition: Condition): string {
  if ('is' in condition) return code(String(condition.is));
  return 'atLeast' in condition
    ? `${code(String(condition.atLeast))} or more`
    : `${code(String(condition.atMost))} or less`;
}

function describeCondition(condition: Condition, definitions: readonly SettingDefinition[]): string {
  const { setting, unsafe } = condition;
  const definition = definitions.find(({ name }) => name === setting);
  if (!definition) throw new Error(`There is no setting ${setting}.`);
  const link = `[${code(setting)}](settings.md#${anchorOf(definition.label)})`;
  const members = membersOf(condition).map(code).join(' or ');
  return `${link}${members && ` ${members}`}: ${describeSafe(condition)}. Otherwise the doctor says: ${unsafe}`;
}

/** Returns how a requirement is met, part by part. */
function describeProof(requirement: Requirement, definitions: readonly SettingDefinition[]): string {
  const { held, settable, documented, yours, notHeld, absent } = requirement;
  const links = documented?.map(
    (place) => `[${place.replace('#', ': ').replaceAll('-', ' ')}](../guide/${place.replace('#', '.md#')})`,
  );
  return [
    `**${verdictOf(requirement)}**`,
    ...(held ?? []).map(labelOf),
    ...(settable ?? []).map((condition) => `Settable: ${describeCondition(condition, definitions)}`),
    ...(links ?? []).map((link) => `Documented: ${link}`),
    ...(yours === undefined ? [] : [`Yours: ${yours}`]),
    ...(notHeld === undefined ? [] : [`Not held: ${notHeld}`]),
    ...(absent === undefined ? [] : [absent]),
  ].join('<br>');
}

function standardSection(standard: Standard, definitions: readonly SettingDefinition[]): string[] {
  return [
    `## ${standard.name}`,
    `Numbers and levels are those of <${standard.source}>.`,
    ...standard.chapters.flatMap(({ title, requirements }) => [
      `### ${title}`,
      table(
        ['id', 'level', 'requirement', 'how it is met'],
        requirements.map((one) => [one.id, one.level, one.text, describeProof(one, definitions)]),
      ),
    ]),
  ];
}

/** Returns the text of the page. */
export function conformancePage(standards: readonly Standard[], definitions: readonly SettingDefinition[]): string {
  const counts = standards.map((standard) => {
    const count = countVerdicts(standard);
    return [`[${standard.name}](#${anchorOf(standard.name)})`, ...VERDICTS.map((verdict) => String(count[verdict]))];
  });
  return page(
    'Conformance',
    'What Latchkey holds of four standards, requirement by requirement, and by which tests. The requirements are in our words; the text of the standard decides. `npm test` runs every test that this page names, and a test fails if one of them is missing or is skipped. `latchkey doctor --conformance` says the same for your installation and its settings.',
    table(['standard', ...VERDICTS], counts),
    [
      '- **held**: tests hold it, under any settings.',
      '- **settable**: tests hold it while the settings have the values that the page names.',
      '- **documented**: the requirement asks for documentation, which the page links.',
      '- **yours**: you, or the developers of your applications, must do it.',
      '- **partly held** and **not held**: the page says what is missing.',
      '- **does not apply**: the service has nothing that the requirement is about.',
    ].join('\n'),
    ...standards.flatMap((standard) => standardSection(standard, definitions)),
  );
}

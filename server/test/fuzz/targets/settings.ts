// Values of settings: what is accepted keeps all bounds and is accepted again unchanged; what is refused has a reason.
import assert from 'node:assert/strict';
import { settingDefinitions } from '../../../src/app/catalogue.ts';
import { findBrokenBounds, proposeValue } from '../../../src/settings/setting.ts';
import { answerOf, type Target } from '../target.ts';

/** The input is the name of a setting, and in the next line a value in JSON. */
function parse(text: string) {
  const [name = '', ...json] = text.split('\n');
  const definition = settingDefinitions.find((one) => one.name === name);
  try {
    return { definition, value: JSON.parse(json.join('\n')) };
  } catch {
    return { definition: undefined, value: undefined };
  }
}

export const target: Target = {
  name: 'settings',
  words: settingDefinitions.flatMap(({ name, default: initial }) => [
    `${name}\n`,
    `${name}\n${JSON.stringify(initial)}`,
    ...(typeof initial === 'object' ? Object.keys(initial ?? {}).map((member) => `"${member}":`) : []),
  ]),
  weight: 4,
  check(input) {
    const { definition, value } = parse(input.toString());
    if (!definition) return undefined;
    const answer = answerOf(() => proposeValue(definition, definition.default, value), 'request.invalid');
    if ('refused' in answer) return answer;
    const proposal = answer.value;
    if ('broken' in proposal) {
      assert.ok(proposal.broken.length > 0);
      for (const { message, members } of proposal.broken) assert.ok(/\S/.test(message) && members.every(Boolean));
      return proposal;
    }
    assert.deepEqual(findBrokenBounds(definition, proposal.value), []);
    const stored: unknown = JSON.parse(JSON.stringify(proposal.value));
    assert.deepEqual(stored, proposal.value, 'a value survives its storage');
    assert.deepEqual(proposeValue(definition, stored, stored), { value: stored }, 'and is accepted again unchanged');
    return proposal;
  },
};

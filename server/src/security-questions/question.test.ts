// The normalization of answers, and the problems of lists and answers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findAnswerProblems, findListProblems, normalizeAnswer } from './question.ts';
import { securityQuestionSetting } from './settings.ts';

const TOY = '91bd94ba-f03a-4559-b714-fe3282272df2';
const FILM = '6313fbf1-f820-4fd4-be85-737172868c45';
const questions = [
  { id: TOY, question: 'What was the name of your first stuffed toy?' },
  { id: FILM, question: 'What is the first film you saw in a cinema?' },
];

describe('a normalized answer', () => {
  for (const [typed, counts] of [
    ['Mrs. O’Brien-Smith', 'mrs obriensmith'],
    ['  mrs\t obrien   smith\n', 'mrs obrien smith'],
    ['O´Brien', 'obrien'],
    ['O`Brien', 'obrien'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['Ｆｉｄｏ　Ⅸ', 'fido ix'],
    ['Zoe\u0308', 'zo\u00eb'],
    ['Fi\u200bdo', 'fido'],
    ['Φίδος', 'φίδος'],
    ['ΦΊΔΟΣ.', 'φίδος'],
    ['⑴', '1'],
    ['❤', '❤'],
    ['...', ''],
    [' \u200d ', ''],
  ] as const) {
    it(`is ${JSON.stringify(counts)} of ${JSON.stringify(typed)}`, () => {
      assert.equal(normalizeAnswer(typed), counts);
    });
  }

  it('stays the same when it is normalized again', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, (typed) => {
        const counts = normalizeAnswer(typed);
        assert.equal(normalizeAnswer(counts), counts);
        assert.doesNotMatch(counts, /^\s|\s$|\s\s|[.,;:!?"'()-]/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a list of questions', () => {
  it('starts with ten valid questions', () => {
    const { default: seed } = securityQuestionSetting;
    assert.deepEqual([seed.length, findListProblems(seed)], [10, []]);
  });

  it('has no question twice and none without words', () => {
    const list = [
      ...questions,
      { id: TOY, question: 'What else?' },
      { id: 'other', question: 'what was the NAME of  your first stuffed toy' },
      { id: 'last', question: ' ?! ' },
    ];
    const members = findListProblems(list).flatMap((problem) => problem.members);
    assert.deepEqual(members, ['2.id', '3.question', '4.question']);
  });
});

describe('answers', () => {
  const problemsOf = (...given: [questionId: string, answer: string][]) =>
    findAnswerProblems(
      questions,
      given.map(([questionId, answer]) => ({ questionId, answer })),
    );

  it('are accepted when each has its own words', () => {
    assert.deepEqual(problemsOf([TOY, 'Teddy'], [FILM, 'Jaws']), []);
    assert.deepEqual(problemsOf([TOY, 'Med']), [], 'a part of a word is not a word of the question');
    assert.deepEqual(problemsOf([TOY, 'é'.repeat(200)]), []);
  });

  for (const [what, given, member] of [
    ['to no question of the list', [['88f226f4-b8ab-4169-b225-7bfa8b2bd888', 'Teddy']], 'answers.0.questionId'],
    [
      'to one question twice',
      [
        [TOY, 'Teddy'],
        [TOY, 'Jaws'],
      ],
      'answers.1.questionId',
    ],
    [
      'that are empty',
      [
        [TOY, 'Teddy'],
        [FILM, ' - '],
      ],
      'answers.1.answer',
    ],
    ['that are too long', [[TOY, 'é'.repeat(201)]], 'answers.0.answer'],
    ['that are too long after normalization', [[TOY, '\ufdfa'.repeat(20)]], 'answers.0.answer'],
    ['that are in the question', [[TOY, 'Stuffed TOY!']], 'answers.0.answer'],
    [
      'that are the same',
      [
        [TOY, 'Teddy'],
        [FILM, ' t-e-d-d-y '],
      ],
      'answers.1.answer',
    ],
  ] as [string, [string, string][], string][]) {
    it(`are refused ${what}, in a sentence that does not hold them`, () => {
      const problems = problemsOf(...given);
      assert.deepEqual(
        problems.flatMap(({ members }) => members),
        [member],
      );
      for (const [, answer] of given) assert.ok(!problems.some(({ message }) => message.includes(answer)));
    });
  }
});

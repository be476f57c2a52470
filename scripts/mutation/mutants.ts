// Mutants: small faults that tests must notice. They are made from the syntax of a source file, its queries and its SQL.
import ts from 'typescript';

/** One small fault: it replaces the text from `start` to `end`. Lines count from 1. */
export type Mutant = {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly was: string;
  readonly becomes: string;
  /** The line of the source, trimmed. */
  readonly within: string;
};

type Fault = readonly [start: number, end: number, becomes: string];

/** The replacements of an operator: with a moved boundary, and with the opposite meaning. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '||=': ['&&='],
};

/** The replacements of operators in query builders, which are strings. */
const queryOperators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '>': ['>=', '<='],
  '=': ['<>'],
  '<>': ['='],
  '+': ['-'],
  is: ['is not'],
  'is not': ['is'],
};

const sqlWords: Readonly<Record<string, readonly string[]>> = {
  ...queryOperators,
  '<=': ['<', '>'],
  '>=': ['>', '<'],
  and: ['or'],
  or: ['and'],
  'is null': ['is not null'],
  'is not null': ['is null'],
};
const sqlWord = /(?<= )(?:is not null|is null|<=|>=|<>|<|>|=|\+|and|or|\d+)(?=[\s,)`])/g;

/** Calls that can be removed from a chain. */
const links = new Set(['where', 'limit', 'orderBy', 'and', 'slice', 'toSorted']);
/** A map, because an object would have members of its own, such as `toString`. */
const names: ReadonlyMap<string, string> = new Map([
  ['max', 'min'],
  ['min', 'max'],
  ['every', 'some'],
  ['some', 'every'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['findLast', 'find'],
]);

const isBoolean = (node: ts.Node) =>
  node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;

function faultsInSql(text: string, offset: number): Fault[] {
  return [...text.matchAll(sqlWord)].flatMap(({ 0: word, index }) => {
    const others = /\d/.test(word) ? [String(Number(word) + 1)] : (sqlWords[word] ?? []);
    return others.map((other): Fault => [offset + index, offset + index + word.length, other]);
  });
}

/** Returns the faults of one node. Types are never changed, because they do not run. */
function faultsOf(node: ts.Node): Fault[] {
  const start = node.getStart();
  const end = node.getEnd();
  const whole = (text: string): Fault => [start, end, text];
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: token, left, right } = node;
    const faults = (operators[token.getText()] ?? []).map((other): Fault => [token.getStart(), token.getEnd(), other]);
    return token.kind === ts.SyntaxKind.QuestionQuestionToken
      ? [whole(left.getText()), whole(right.getText())]
      : faults;
  }
  if (isBoolean(node)) return [whole(node.getText() === 'true' ? 'false' : 'true')];
  if (ts.isNumericLiteral(node)) return [whole(String(Number(node.text) + 1))];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [whole(node.operand.getText())];
  }
  if (ts.isConditionalExpression(node)) return [whole(node.whenTrue.getText()), whole(node.whenFalse.getText())];
  if (ts.isIfStatement(node)) {
    return ['true', 'false'].map((text) => [node.expression.getStart(), node.expression.getEnd(), text]);
  }
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [whole(';')];
  if (ts.isArrowFunction(node) && ts.isCallExpression(node.body) && ts.isPropertyAssignment(node.parent)) {
    return [[node.body.getStart(), end, 'undefined']];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name } = node.expression;
    const other = names.get(name.text);
    return [
      ...(links.has(name.text) ? [[name.getStart() - 1, end, ''] as const] : []),
      ...(other ? [[name.getStart(), name.getEnd(), other] as const] : []),
    ];
  }
  if (ts.isStringLiteral(node) && ts.isCallExpression(node.parent)) {
    return (queryOperators[node.text] ?? []).map((other) => whole(`'${other}'`));
  }
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) {
    const template = node.kind === ts.SyntaxKind.TemplateHead ? node.parent : node.parent.parent;
    const isSql = ts.isTaggedTemplateExpression(template.parent) && /^sql\b/.test(template.parent.tag.getText());
    return isSql ? faultsInSql(node.getText(), start) : [];
  }
  return [];
}

/** Returns all mutants of a source, in the order of the file. */
export function findMutants(name: string, text: string): Mutant[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const faults: Fault[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    faults.push(...faultsOf(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults
    .map(([start, end, becomes]) => {
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      return { start, end, line, was: text.slice(start, end), becomes, within: (lines[line - 1] ?? '').trim() };
    })
    .toSorted((a, b) => a.start - b.start);
}

/** Returns the source with the fault. */
export function applyMutant(text: string, { start, end, becomes }: Mutant): string {
  return text.slice(0, start) + becomes + text.slice(end);
}

// Instrumentation: a source that counts how often each of its branches runs, and notes what its comparisons compared.
import ts from 'typescript';

/** The global names that an instrumented source uses. */
export const COUNT = '__fuzzCount';
export const COMPARE = '__fuzzCompare';

export type Instrumented = {
  readonly text: string;
  /** How many branches and comparisons it counts, from the first index on. */
  readonly branches: number;
  /** Texts of the source, which an input may need to reach a branch. */
  readonly words: readonly string[];
};

/** Texts of other lengths are messages, or parts that mutation finds by itself. */
const isWord = (text: string) => text.length > 1 && text.length <= 40 && !/\s.*\s/.test(text);

const shortCircuits: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
];

/** Whether the node is a statement that runs only sometimes, and is no block. */
function isLoneStatement(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBlock(node) || !parent) return false;
  if (ts.isIfStatement(parent)) return node === parent.thenStatement || node === parent.elseStatement;
  return ts.isIterationStatement(parent, false) && node === parent.statement;
}

/** Whether the node is an expression that runs only sometimes. */
function isBranch(node: ts.Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  if (ts.isConditionalExpression(parent)) return node === parent.whenTrue || node === parent.whenFalse;
  if (ts.isArrowFunction(parent)) return node === parent.body && !ts.isBlock(node);
  return ts.isBinaryExpression(parent) && node === parent.right && shortCircuits.includes(parent.operatorToken.kind);
}

const isFirstOfClause = (node: ts.Node) =>
  node.parent && ts.isCaseOrDefaultClause(node.parent) && node === node.parent.statements[0];

const isSkipped = (node: ts.Node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node);

/** @param first the index of the first counter. @param path names the language: JavaScript or TypeScript. */
export function instrument(path: string, source: string, first: number): Instrumented {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const words = new Set<string>();
  let next = first;
  const hit = () => {
    next += 1;
    return `${COUNT}(${next - 1})`;
  };

  /** The node's own text after the white space before it, with its branches counted. */
  function wrap(node: ts.Node, text: string): string {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) words.add(node.text);
    if (ts.isIdentifier(node) && node.parent && ts.isPropertyAssignment(node.parent)) words.add(node.text);
    if (ts.isBlock(node)) return `{${hit()};${text.slice(1)}`;
    if (isLoneStatement(node)) return `{${hit()};${text}}`;
    if (isFirstOfClause(node)) return `${hit()};${text}`;
    return isBranch(node) ? `(${hit()},${text})` : text;
  }

  function render(node: ts.Node): string {
    const start = node.getFullStart();
    if (isSkipped(node)) return source.slice(start, node.end);
    const before = node.getStart(file) - start;
    const inside = ts.isBinaryExpression(node) ? renderBinary(node) : renderChildren(node);
    return inside.slice(0, before) + wrap(node, inside.slice(before));
  }

  function renderChildren(node: ts.Node): string {
    let text = '';
    let at = node.getFullStart();
    ts.forEachChild(node, (child) => {
      text += source.slice(at, child.getFullStart()) + render(child);
      at = child.end;
    });
    return text + source.slice(at, node.end);
  }

  function renderBinary(node: ts.BinaryExpression): string {
    const { kind } = node.operatorToken;
    const isEqual = kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
    if (!isEqual && kind !== ts.SyntaxKind.ExclamationEqualsEqualsToken) return renderChildren(node);
    const before = node.getStart(file) - node.getFullStart();
    const left = render(node.left);
    next += 1;
    const comparison = `${COMPARE}(${next - 1},${left.slice(before)},${render(node.right)})`;
    return `${left.slice(0, before)}${isEqual ? '' : '!'}${comparison}`;
  }

  const text = renderChildren(file);
  return { text, branches: next - first, words: [...words].filter(isWord) };
}

import type { Program } from './template-parser.js';

/** A node of the parsed template; its fields hold nodes, lists and maps of nodes, and plain values. */
interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The inputs of a template, read from its source. */
export interface TemplateSyntax {
  /** Variables that it reads before it has set them itself. */
  readonly variables: ReadonlySet<string>;
  /** Strings that it compares with or prints, for example the roles it knows. */
  readonly literals: ReadonlySet<string>;
}

export function analyseTemplate(template: Program): TemplateSyntax {
  const walk = new SyntaxWalk();
  walk.visit(template.parsed);
  return walk;
}

/** Names that templates find there without anybody giving them. */
const BUILT_IN = ['true', 'false', 'none', 'True', 'False', 'None', 'range', 'namespace', 'loop', 'caller'];
const FUNCTIONS = ['raise_exception', 'strftime_now'];

/** Visits the nodes in the order in which they run. */
class SyntaxWalk implements TemplateSyntax {
  readonly variables = new Set<string>();
  readonly literals = new Set<string>();
  /** A name that is set anywhere before it is read is the template's own. */
  private readonly own = new Set<string>([...BUILT_IN, ...FUNCTIONS]);

  visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach((item) => this.visit(item));
    else if (value instanceof Map) this.visit([...value].flat());
    else if (isNode(value)) this.visitNode(value);
  }

  private visitNode(node: SyntaxNode): void {
    switch (node.type) {
      case 'Identifier':
        return this.read(String(node.value));
      case 'StringLiteral':
        this.literals.add(String(node.value));
        return;
      case 'Set':
        return this.visitSet(node);
      case 'For':
        this.visit(node.iterable);
        this.bind(node.loopvar);
        return this.visit([node.body, node.defaultBlock]);
      case 'Macro':
        this.bind(node.name);
        this.bind(node.args);
        return this.visit(node.body);
      case 'CallStatement':
        this.bind(node.callerArgs);
        return this.visit([node.call, node.body]);
      default:
        return this.visitFields(node);
    }
  }

  private visitSet(node: SyntaxNode): void {
    this.visit([node.value, node.body]);
    // `set ns.x = ...` changes a field: it reads `ns`.
    if (isNode(node.assignee) && node.assignee.type === 'MemberExpression') this.visit(node.assignee);
    else this.bind(node.assignee);
  }

  /** Some identifiers are names of filters, tests and fields, or operators such as `not`: no variables. */
  private visitFields(node: SyntaxNode): void {
    for (const [field, value] of Object.entries(node)) {
      const isName =
        field === 'operator' ||
        (node.type === 'MemberExpression' && field === 'property' && !node.computed) ||
        (node.type === 'TestExpression' && field === 'test') ||
        (node.type === 'KeywordArgumentExpression' && field === 'key');
      if (isName) continue;
      if (field === 'filter' && isNode(value)) this.visit(value.type === 'CallExpression' ? value.args : []);
      else this.visit(value);
    }
  }

  private read(name: string): void {
    if (!this.own.has(name)) this.variables.add(name);
  }

  private bind(target: unknown): void {
    if (Array.isArray(target)) target.forEach((item) => this.bind(item));
    else if (!isNode(target)) return;
    else if (target.type === 'Identifier') this.own.add(String(target.value));
    else if (target.type === 'TupleLiteral') this.bind(target.value);
    else if (target.type === 'KeywordArgumentExpression') {
      this.visit(target.value);
      this.bind(target.key);
    }
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

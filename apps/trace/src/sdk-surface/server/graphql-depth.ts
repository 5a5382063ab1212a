import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** Refuses operations with more levels of fields than that; fragments count where they are used. */
export const depthRule =
  (max: number) =>
  (context: ValidationContext): ASTVisitor => {
    const depths = new Depths(context);
    return {
      OperationDefinition(operation: OperationDefinitionNode) {
        if (depths.of(operation.selectionSet) > max)
          context.reportError(new GraphQLError(`The operation has more than ${max} levels.`));
      },
    };
  };

/** Levels of fields; each fragment is looked into once. */
class Depths {
  private readonly fragments = new Map<string, number>();

  constructor(private readonly context: ValidationContext) {}

  of(set: SelectionSetNode): number {
    let deepest = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) deepest = Math.max(deepest, this.fragment(selection.name.value));
      else {
        const inner = selection.selectionSet ? this.of(selection.selectionSet) : 0;
        deepest = Math.max(deepest, selection.kind === Kind.FIELD ? inner + 1 : inner);
      }
    }
    return deepest;
  }

  private fragment(name: string): number {
    const known = this.fragments.get(name);
    if (known !== undefined) return known;
    this.fragments.set(name, 0); // a circle, which another rule refuses
    const fragment = this.context.getFragment(name);
    const depth = fragment ? this.of(fragment.selectionSet) : 0;
    this.fragments.set(name, depth);
    return depth;
  }
}

/** A labelled thing, and the labels by name. */
export interface LabelledCell<Cell> {
  readonly labels: Readonly<Record<string, string>>;
  readonly cell: Cell;
}

/** One cell for each combination of labels' values, which should be few. To find one, no text of its labels is made. */
export class LabelCells<Cell> {
  readonly all: LabelledCell<Cell>[] = [];
  private readonly root = new Branch<Cell>();

  /** @param labelNames in the order in which {@link of} takes their values */
  constructor(
    private readonly labelNames: readonly string[],
    private readonly make: () => Cell,
  ) {}

  of(values: readonly string[]): Cell {
    let branch = this.root;
    for (let at = 0; at < values.length; at++) branch = branch.next(values[at] as string);
    return (branch.cell ??= this.add(values));
  }

  private add(values: readonly string[]): Cell {
    const labels = Object.fromEntries(this.labelNames.map((name, at) => [name, values[at] ?? '']));
    const cell = this.make();
    this.all.push({ labels, cell });
    return cell;
  }
}

class Branch<Cell> {
  cell: Cell | null = null;
  private readonly branches = new Map<string, Branch<Cell>>();

  next(value: string): Branch<Cell> {
    let branch = this.branches.get(value);
    if (branch === undefined) this.branches.set(value, (branch = new Branch()));
    return branch;
  }
}

import { dirname } from 'node:path/posix';

/** `apps/trace/src`: what is above belongs to the module boundaries of Nx. */
const PROJECT_DEPTH = 3;

/**
 * Circles among the entries of one folder, for every folder: an entry is a file in it, or a folder in it with all that it
 * holds. So `a/x.ts -> b/y.ts` and `b/z.ts -> a/w.ts` are a circle of `a` and `b`, although no file imports itself.
 *
 * @param {[from: string, to: string][]} imports files, as paths from the repository's root
 * @returns {{folder: string, circle: [from: string, to: string][]}[]} per circle one import for each step of the way round
 */
export function findFolderCircles(imports) {
  return [...graphsOfFolders(imports)].flatMap(([folder, graph]) => {
    const circle = findCircle(graph);
    return circle ? [{ folder, circle }] : [];
  });
}

/** Folder -> entry -> imported entry -> one import that makes the edge. */
function graphsOfFolders(imports) {
  const graphs = new Map();
  for (const [from, to] of imports) {
    const folder = commonFolder(from, to);
    if (folder.split('/').length < PROJECT_DEPTH) continue;
    const [source, target] = [from, to].map((path) => path.slice(folder.length + 1).split('/', 1)[0]);
    const edges = at(at(graphs, folder), source);
    if (!edges.has(target)) edges.set(target, [from, to]);
  }
  return graphs;
}

function commonFolder(a, b) {
  let folder = dirname(a);
  while (!b.startsWith(`${folder}/`)) folder = dirname(folder);
  return folder;
}

function at(map, key) {
  if (!map.has(key)) map.set(key, new Map());
  return map.get(key);
}

/** Depth first: an edge to an entry of the path on which we stand closes a circle. */
function findCircle(graph) {
  const isDone = new Set();
  const path = [];
  const visit = (entry) => {
    if (isDone.has(entry)) return null;
    for (const [next, edge] of graph.get(entry) ?? []) {
      const start = path.findIndex(([from]) => from === next);
      if (start >= 0) return [...path.slice(start).map(([, step]) => step), edge];
      path.push([entry, edge]);
      const circle = visit(next);
      if (circle) return circle;
      path.pop();
    }
    isDone.add(entry);
    return null;
  };
  for (const entry of graph.keys()) {
    const circle = visit(entry);
    if (circle) return circle;
  }
  return null;
}

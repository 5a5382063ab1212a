import { loadObjects, settle } from './object-data.mjs';
import { World } from './world.mjs';

/** Objects x versions of each project that pages and the export are read from. */
const SHAPES = {
  full: {
    small: { objects: 10_000, versions: 1 },
    deep: { objects: 10_000, versions: 100 },
    wide: { objects: 1_000_000, versions: 1 },
    large: { objects: 200, versions: 1, valueBytes: 50_000 },
  },
  quick: {
    small: { objects: 1_000, versions: 1 },
    deep: { objects: 1_000, versions: 50 },
    wide: { objects: 50_000, versions: 1 },
    large: { objects: 200, versions: 1, valueBytes: 50_000 },
  },
};

let made;

/** Loads the objects once per run. @returns projects by the name of their shape, with the shape */
export function objectProjects(context) {
  made ??= load(context);
  return made;
}

async function load(context) {
  const { options, progress } = context;
  const world = await World.of(context);
  const [client] = await world.connect(1);
  const projects = {};
  for (const [name, shape] of Object.entries(options.quick ? SHAPES.quick : SHAPES.full)) {
    progress.step(`loading ${describe(shape)}`);
    projects[name] = { ...(await world.makeProject(client, name)), shape };
    await loadObjects(client, world, projects[name], shape, progress);
  }
  progress.step('vacuum and analyze');
  await settle(client);
  await client.end();
  return projects;
}

export const describe = ({ objects, versions }) =>
  `${objects.toLocaleString('en-US')} x ${versions.toLocaleString('en-US')} versions`;

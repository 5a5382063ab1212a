import { createContext, useContext } from 'react';

/** The project that the page shows. */
export interface Project {
  readonly entity: string;
  readonly name: string;
  /** `<entity>/<name>`, as the interface takes it. */
  readonly id: string;
  /** The address of a page of the project, below `/console`. */
  readonly path: (page?: string) => string;
}

export const toProject = (entity: string, name: string): Project => ({
  ...{ entity, name, id: `${entity}/${name}` },
  path: (page = '') => `/p/${encodeURIComponent(entity)}/${encodeURIComponent(name)}${page && `/${page}`}`,
});

/** @param id `<entity>/<name>` */
export function projectOf(id: string): Project {
  const [entity = '', name = ''] = id.split(/\/(.*)/s);
  return toProject(entity, name);
}

export const ProjectContext = createContext<Project | null>(null);

/** @throws outside of a project's page */
export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (project === null) throw new Error('This page belongs to no project.');
  return project;
}

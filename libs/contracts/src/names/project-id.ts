const ENTITY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const PROJECT = /^[^/:\p{Cc}]{1,128}$/u;

/** A team or user that owns projects. */
export const isEntityName = (text: string): boolean => ENTITY.test(text);

/** 1..128 characters without `/`, `:`, control characters or outer blanks, not `.` or `..`. */
export const isProjectName = (text: string): boolean =>
  PROJECT.test(text) && text.trim() === text && text !== '.' && text !== '..';

/** `<entity>/<project>` in its two parts, or undefined. */
export function parseProjectId(text: string): { entity: string; project: string } | undefined {
  const slash = text.indexOf('/');
  const entity = text.slice(0, slash);
  const project = text.slice(slash + 1);
  return slash > 0 && isEntityName(entity) && isProjectName(project) ? { entity, project } : undefined;
}

import type { ObjectVersionDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../shared/data/hone.js';
import { type Project, projectOf, useProject } from '../shared/data/project.js';
import { useRights } from '../shared/data/role.js';
import { shortOpName } from '../shared/format/format.js';
import type { Command } from './commands.js';
import { PAGES } from './navigation.js';

/** Of each kind, the newest. */
const LIMIT = 500;
const MODELS = 100;
/** The most that are counted. */
const OPS = 50;
const STALE_MS = 30_000;
/** Ids of calls are any text; shorter ones are a word that is being typed. */
const CALL_ID = /^.{4,128}$/;

/** Where the palette leads to: pages, and what the project has. @param typed may be the id of a call */
export function useCommands(typed: string): readonly Command[] {
  const project = useProject();
  const [, navigate] = useLocation();
  const { mayWrite } = useRights();
  const to = (id: string, name: string, kind: string, path: string): Command => ({
    ...{ id: `${kind} ${id}`, name, kind },
    run: () => navigate(path),
  });
  const { call, objects, queues, ops, models, projects } = useFound(project, typed);
  return [
    ...(call ? [to(call.id, `${typed.trim()} ${call.title}`, 'Call', project.path(callPath(call.id)))] : []),
    ...PAGES.map(({ page, label }) => to(page, label, 'Page', project.path(page))),
    ...(mayWrite ? [to('new job', 'New training job', 'Page', project.path('training/new'))] : []),
    ...objects.map((one) => to(one.object_id, one.object_id, kindOf(one), project.path(objectPath(one)))),
    ...queues.map(({ id, name }) => to(id, name, 'Queue', project.path(`annotation/${encodeURIComponent(id)}`))),
    ...ops.map((op) => to(op, op, 'Op', project.path(`calls?depth=all&op=${encodeURIComponent(op)}`))),
    ...models.map(({ id, name }) => to(id, name, 'Model', project.path(`training/models/${id}`))),
    ...projects.map(({ project_id: id }) => to(id, id, 'Project', projectOf(id).path())),
  ];
}

const callPath = (id: string): string => `calls/${encodeURIComponent(id)}`;

/** Some classes have pages of their own. */
const FOLDERS: Readonly<Record<string, string>> = {
  ...{ Dashboard: 'dashboards', Dataset: 'datasets', Prompt: 'prompts', Scorer: 'scorers' },
};

type Named = Pick<ObjectVersionDto, 'object_id' | 'base_object_class'>;
const kindOf = ({ base_object_class: name }: Named): string => name ?? 'Object';
const objectPath = ({ object_id, base_object_class: name }: Named): string =>
  `${(name && Object.hasOwn(FOLDERS, name) && FOLDERS[name]) || 'objects'}/${encodeURIComponent(object_id)}`;

/** What the project has. What one may not read, or cannot be read now, is left out. */
function useFound(project: Project, typed: string) {
  const project_id = project.id;
  const options = { staleTime: STALE_MS, retry: false };
  const id = useDeferredValue(typed.trim().replace(/^chatcmpl-/, ''));
  const call = useQuery({
    queryKey: ['call to go to', project_id, id],
    queryFn: async ({ signal }) => {
      const query = { project_id, filter: { call_ids: [id] }, columns: ['id', 'op_name', 'display_name'], limit: 1 };
      const [found] = (await hone.trace.queryCallPages(query, { signal })).calls;
      return found ? { id, title: found.display_name ?? shortOpName(found.op_name ?? '') } : null;
    },
    enabled: CALL_ID.test(id),
    ...options,
  });
  const objects = useQuery({
    queryKey: ['objects to go to', project_id],
    queryFn: async ({ signal }) => {
      const sort_by = [{ field: 'created_at' as const, direction: 'desc' as const }];
      const query = { project_id, filter: { latest_only: true, is_op: false }, metadata_only: true, sort_by };
      return (await hone.trace.queryObjects({ ...query, limit: LIMIT }, { signal })).objs;
    },
    ...options,
  });
  const queues = useQuery({
    queryKey: ['queues to go to', project_id],
    queryFn: async ({ signal }) => {
      const found: { readonly id: string; readonly name: string }[] = [];
      const body = { project_id, limit: LIMIT };
      for await (const { id: queue, name } of hone.trace.queryAnnotationQueues(body, { signal }))
        found.push({ id: queue, name });
      return found;
    },
    ...options,
  });
  const ops = useQuery({
    queryKey: ['ops to go to', project_id],
    queryFn: async ({ signal }) => {
      const { facets } = await hone.trace.countCallFacets({ project_id, fields: ['op_name'], limit: OPS }, { signal });
      return [...new Set(facets.flatMap(({ values }) => values.map(({ value }) => shortOpName(String(value)))))];
    },
    ...options,
  });
  const models = useQuery({
    queryKey: ['trainable models', project_id, 'names'],
    queryFn: ({ signal }) => {
      const of = { entity: project.entity, project: project.name };
      return hone.training.listTrainableModels({ ...of, order: 'desc', limit: MODELS }, { signal });
    },
    retry: false,
  });
  const projects = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => hone.accounts.listProjects({ signal }),
    retry: false,
  });
  return {
    call: CALL_ID.test(id) ? (call.data ?? null) : null,
    objects: objects.data ?? [],
    queues: queues.data ?? [],
    ops: ops.data ?? [],
    models: models.data?.data ?? [],
    projects: projects.data?.data ?? [],
  };
}

import type { Principal } from '@hone/auth';
import type { BodyTranslation, TranslationModule } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

import { OwnBody } from './own-body.js';
import { OwnRefs } from './own-refs.js';

/** What of a caller says which projects they may read. */
type Reader = Pick<Principal, 'isAdmin' | 'roles' | 'scopes' | 'onlyProject'>;

interface Options {
  readonly refScheme: string;
  /** Undefined: nobody, who may read nothing. */
  readonly reader: Reader | undefined;
}

/** Bodies of SDKs as the handlers take them, in any thread. */
export const TRANSLATION: TranslationModule<Options>['TRANSLATION'] = ({ refScheme, reader }) => {
  const body = new OwnBody(new OwnRefs(refScheme, (projectId) => reader !== undefined && mayRead(reader, projectId)));
  return (value, type) => body.translate(value, type);
};

/** @param request whose caller is known once its guards have run, before its body is read */
export function translationOf(request: Pick<FastifyRequest, 'principal'>, refScheme: string): BodyTranslation {
  const optionsNow = (): Options => ({ refScheme, reader: request.principal && toReader(request.principal) });
  return {
    limits: { nonFinite: true },
    translate: (value, type) => TRANSLATION(optionsNow())(value, type),
    module: import.meta.url,
    get options() {
      return optionsNow();
    },
  };
}

const toReader = ({ isAdmin, roles, scopes, onlyProject }: Principal): Reader => ({
  isAdmin,
  roles,
  scopes,
  onlyProject,
});

/** Every role may read. */
function mayRead({ isAdmin, roles, scopes, onlyProject }: Reader, projectId: string): boolean {
  const entity = projectId.slice(0, projectId.indexOf('/'));
  return (isAdmin || roles.has(entity)) && scopes.has('trace') && (onlyProject ?? projectId) === projectId;
}

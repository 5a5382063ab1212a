import { check, type Class, fieldsOf, isStorableText, mayOmitBody, pathParameterIssues } from '@hone/contracts';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';

import { RouteNotFoundError } from '../errors/platform.errors.js';
import { ValidationError } from '../errors/validation.error.js';
import { RequestBody } from './request-body.js';

const EMPTY = new RequestBody(Buffer.alloc(0), undefined);

/**
 * Turns a body or a query into an instance of the DTO class that the handler's parameter names, or into a 422. A path
 * parameter is passed on as it is, unless no name of any kind has its form.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data = type }: ArgumentMetadata): unknown {
    if (type === 'param' && typeof value === 'string') return pathParameter(data, value);
    if (type === 'body') return checkedBody(metatype as Class, value instanceof RequestBody ? value : EMPTY);
    if (type === 'query' && isContract(metatype)) return checked(metatype, value, type);
    return value;
  }
}

/** @throws ValidationError */
function checkedBody(type: Class, body: RequestBody): object {
  if (body.checked) return body.checked;
  if (mayOmitBody(type) && body.isEmpty) return checked(type, {}, 'body');
  return checked(type, body.jsonFor(type), 'body');
}

/** @throws RouteNotFoundError, ValidationError */
function pathParameter(name: string, text: string): string {
  if (!isStorableText(text)) throw new RouteNotFoundError();
  const issues = pathParameterIssues(name, text);
  if (issues.length) throw new ValidationError(issues);
  return text;
}

const isContract = (type: unknown): type is Class => typeof type === 'function' && fieldsOf(type as Class).length > 0;

/** @throws ValidationError every `loc` begins with `source` */
export function checked<T extends object>(type: Class<T>, input: unknown, source: 'body' | 'query'): T {
  const { value, issues } = check(type, input, [source]);
  if (issues.length) throw new ValidationError(issues);
  return value as T;
}

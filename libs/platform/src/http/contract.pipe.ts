import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { check, isStorableText, type Class } from '@hone/contracts';

import { RouteNotFoundError } from '../errors/platform.errors.js';
import { ValidationError } from '../errors/validation.error.js';
import { RequestBody } from './request-body.js';

const EMPTY = new RequestBody(Buffer.alloc(0), undefined);

/** Turns a body into an instance of the DTO class that the handler's parameter names, or into a 422. */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'param' && typeof value === 'string' && !isStorableText(value)) throw new RouteNotFoundError();
    if (type !== 'body') return value;
    const body = value instanceof RequestBody ? value : EMPTY;
    const { value: dto, issues } = check(metatype as Class, body.json(), ['body']);
    if (issues.length) throw new ValidationError(issues);
    return dto;
  }
}

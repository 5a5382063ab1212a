import type { NativeEndpoint } from '../../../shared/endpoint.js';
import { MessageReader } from './message-reader.js';
import type { NativeReader } from './native-reader.js';
import { ResponseReader } from './response-reader.js';

export function nativeReader(endpoint: NativeEndpoint): NativeReader {
  switch (endpoint) {
    case 'responses':
      return new ResponseReader();
    case 'messages':
      return new MessageReader();
  }
}

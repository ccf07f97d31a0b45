import { createContext } from 'react';

/**
 * The content policy's nonce for the inline scripts of this response. Only the server's render has
 * it.
 */
export const NonceContext = createContext<string | undefined>(undefined);

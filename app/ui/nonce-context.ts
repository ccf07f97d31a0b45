import { createContext } from 'react';

/**
 * The content policy's nonce for the inline scripts of this response. Only the server's render
 * knows it.
 */
export const NonceContext = createContext<string | undefined>(undefined);

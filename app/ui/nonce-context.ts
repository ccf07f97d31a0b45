import { createContext } from 'react';

/** The content policy's nonce for this answer's inline scripts. Only the server's render knows it. */
export const NonceContext = createContext<string | undefined>(undefined);

import { createContext } from 'react';

/** The content policy's nonce for the inline scripts of this response. Set on the server only. */
export const NonceContext = createContext<string | undefined>(undefined);

declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /**
   * The parameters that are used here. If `salt` is missing, a random one is used. Texts are
   * base64url.
   */
  interface PushParameters {
    version: 'aes128gcm';
    /** The receiver's public key. */
    dh: string;
    authSecret: string;
    /** The sender's pair of keys. */
    privateKey: ECDH;
    salt?: Buffer;
  }
  const ece: { encrypt(plain: Buffer, parameters: PushParameters): Buffer };
  export default ece;
}

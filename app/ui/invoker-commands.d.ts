import 'react';

declare module 'react' {
  /** Buttons that open and close dialogs by themselves (HTML, "invoker commands"); React's own types lack them. */
  interface ButtonHTMLAttributes<T> {
    commandfor?: string;
    command?: 'show-modal' | 'close';
  }
}

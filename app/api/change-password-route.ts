import { redirect } from 'react-router';

/**
 * The URL where password managers send users (W3C, A Well-Known URL for Changing Passwords).
 */
export function loader() {
  return redirect('/profile#profile-password');
}

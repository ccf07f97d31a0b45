import { redirect } from 'react-router';

/** Where password managers send their owners (W3C, A Well-Known URL for Changing Passwords). */
export function loader() {
  return redirect('/profile#profile-password');
}

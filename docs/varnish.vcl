# Varnish 7 in front of the site (docs/operations.md, "A shared cache"). Yours are the addresses at the top. Needs the module
# xkey (Debian: varnish-modules), and `-p http_gzip_support=off`, or visitors get gzip in place of brotli.
vcl 4.1;

import std;
import xkey;

# The site, or the balancer before its processes.
backend site {
  .host = "127.0.0.1";
  .port = "3000";
  # Down is what has not answered four times: until then each visitor's request is tried.
  .probe = { .url = "/health/live"; .interval = 2s; .timeout = 5s; .window = 4; .threshold = 1; .initial = 1; }
}

# Every process of the site: whoever may say what has changed.
acl processes {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # Varnish notes who asks. A second address there: a stranger, sent on by a proxy that is allowed itself.
    if (client.ip !~ processes || req.http.X-Forwarded-For ~ ",") {
      return (synth(403, "Not allowed to purge"));
    }
    if (!req.http.Surrogate-Key) {
      return (synth(400, "Surrogate-Key is missing"));
    }
    return (synth(200, "Purged " + xkey.purge(req.http.Surrogate-Key)));
  }

  set req.http.Host = std.tolower(req.http.Host);
  std.collect(req.http.Cookie, "; ");
  unset req.http.Kept-Cookie;

  # Whoever is signed in, or a program with a key, never meets the cache.
  if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization
      || req.http.Cookie ~ "(^|;)\s*(__Host-)?session=") {
    return (pass);
  }
  # No other cookie makes another page of one that is kept: a lookup knows none. The site gets them all the same.
  if (req.http.Cookie) {
    set req.http.Kept-Cookie = req.http.Cookie;
    unset req.http.Cookie;
  }
  if (req.http.Accept-Encoding ~ "\bbr\b") {
    set req.http.Accept-Encoding = "br";
  } elsif (req.http.Accept-Encoding ~ "\bgzip\b") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }
  # An older page is shown while a new one is made; for longer while the site is down (below).
  if (std.healthy(req.backend_hint)) {
    set req.grace = 60s;
  }
}

sub vcl_hash {
  # One page for every order of its parameters and whatever campaigns add to them.
  hash_data(std.querysort(regsub(regsuball(req.url,
    "(?<=[?&])(utm_[a-z_]+|gclid|fbclid|msclkid|mc_[ce]id)=[^&]*(&|$)", ""), "[?&]$", "")));
  hash_data(req.http.Host);
  return (lookup);
}

sub vcl_backend_fetch {
  if (bereq.http.Kept-Cookie) {
    set bereq.http.Cookie = bereq.http.Kept-Cookie;
    unset bereq.http.Kept-Cookie;
  }
}

sub vcl_backend_response {
  if (beresp.http.CDN-Cache-Control && beresp.http.Surrogate-Key) {
    # The same for everybody who is signed out.
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=(\d+).*$", "\1s"), 0s);
    set beresp.grace = std.duration(
      regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
    set beresp.http.xkey = beresp.http.Surrogate-Key;
    set beresp.http.Vary = "accept-encoding";
  } elsif (beresp.http.Cache-Control ~ "immutable") {
    # Pictures go with the pages when the site is shut; scripts and sheets tell nothing of it.
    if (bereq.url !~ "^/assets/") {
      set beresp.http.xkey = "all";
    }
  } else {
    # A site in trouble does not take the place of an older page.
    if (bereq.is_bgfetch && beresp.status >= 500) {
      return (abandon);
    }
    set beresp.uncacheable = true;
    set beresp.ttl = 60s;
    return (deliver);
  }
}

sub vcl_deliver {
  if (resp.http.Surrogate-Key) {
    set resp.http.Vary = "accept-encoding, cookie";
  }
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.CDN-Cache-Control;
  unset resp.http.X-Varnish;
  unset resp.http.Via;
}

sub vcl_backend_error {
  set beresp.http.Content-Type = "text/html; charset=utf-8";
  set beresp.http.Cache-Control = "private, no-store";
  set beresp.http.Retry-After = "5";
  synthetic("<!doctype html><html lang=en><title>Back in a moment</title><h1>Back in a moment</h1>"
    + "<p>The site cannot be reached just now. Please try again in a few seconds.</p></html>");
  return (deliver);
}

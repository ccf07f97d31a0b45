# Varnish 7 in front of the site (docs/operations.md, "A shared cache"). Replace the addresses at the top. Needs the module
# xkey (Debian: varnish-modules) and `-p http_gzip_support=off`; otherwise visitors get gzip instead of brotli.
vcl 4.1;

import std;
import xkey;

# The site, or its load balancer.
backend site {
  .host = "127.0.0.1";
  .port = "3000";
  # Down after four failed probes; until then every request is tried.
  .probe = { .url = "/health/live"; .interval = 2s; .timeout = 5s; .window = 4; .threshold = 1; .initial = 1; }
}

# Every process of the site. Only these may purge.
acl processes {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # A second address means that an allowed proxy forwarded the request of a stranger.
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

  # Signed-in visitors and API keys bypass the cache.
  if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization
      || req.http.Cookie ~ "(^|;)\s*(__Host-)?session=") {
    return (pass);
  }
  # Other cookies don't change cached pages, so the lookup ignores them. The site still gets them.
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
  # Serve stale pages while a new one is fetched; longer while the site is down (below).
  if (std.healthy(req.backend_hint)) {
    set req.grace = 60s;
  }
}

sub vcl_hash {
  # Ignore the order of parameters and campaign parameters.
  hash_data(std.querysort(regsub(regsuball(req.url,
    "(?<=[?&])((utm_[a-z_]+|gclid|fbclid|msclkid|mc_[ce]id)=[^&]*|from=(newsletter|slot|feed|mail)[0-9-]*)(&|$)", ""), "[?&]$", "")));
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
    # The same for all signed-out visitors.
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=(\d+).*$", "\1s"), 0s);
    set beresp.grace = std.duration(
      regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
    set beresp.http.xkey = beresp.http.Surrogate-Key;
    set beresp.http.Vary = "accept-encoding";
  } elsif (beresp.http.Cache-Control ~ "immutable") {
    # Closing the site purges pictures as well as pages, but not scripts and style sheets.
    if (bereq.url !~ "^/assets/") {
      set beresp.http.xkey = "all";
    }
  } else {
    # Errors don't replace a stale page.
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

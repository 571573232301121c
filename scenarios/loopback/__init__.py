"""Pages on loopback: what every page that a command shows in the browser has around it.

A page is an ASGI application (Starlette's). `guarded` refuses whoever is not that page, `run` binds it to a port of
its own, opens the browser and ends with Ctrl+C:

    guard = Guard(words=words)
    site = Starlette(routes=[Route("/", page), Route("/save", save, methods=["POST"])])
    run(guarded(site, guard), Address(host, port), browse=True, secret=guard.secret)

The page itself holds `guard.token` (in a `meta` element), and sends it back in the header `TOKEN` of every request
that is not a GET. All addresses lie below the secret, so a page names others relatively: `save`, not `/save`.
"""

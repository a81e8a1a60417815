class LateAnswer:
    """The first answer from an address, held as it was given."""

    def __init__(self, page, address):
        self.page, self.asked, self.answers = page, [], []
        page.route(address, self.hold)

    def hold(self, route):
        self.asked.append(route)
        if route is self.asked[0]:
            self.answers.append(route.fetch())
        else:
            route.continue_()

    def wait(self):
        while not self.answers:
            self.page.evaluate("new Promise(requestAnimationFrame)")

    def arrive(self):
        """Let it go, and wait until the page has read it."""
        with self.page.expect_event("requestfinished", lambda request: request == self.asked[0].request):
            self.asked[0].fulfill(response=self.answers[0])
        # Whatever else the page asks for has its answer later.
        self.page.evaluate("fetch(location.pathname).then((answer) => answer.text())")

"""What leaves the site: mails through the outbox, pages through `public`."""
